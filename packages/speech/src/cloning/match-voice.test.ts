import { createFloatResampler } from '@vaani/pcm-audio'
import { expect, test } from 'vitest'
import { synthesizeVoice } from '../../test/synthetic-voice.ts'
import { matchVoice } from './match-voice.ts'
import { formantRatio, measureVoice, type VoiceMeasure } from './measure-voice.ts'
import { ANALYSIS_RATE_HZ } from './track-voice.ts'

const voice = (seed: number) => synthesizeVoice({ seconds: 12, sampleRateHz: ANALYSIS_RATE_HZ, seed })
/** Moves all frequencies by a factor. */
function warped(samples: Float32Array, factor: number): Float32Array {
  const resampler = createFloatResampler({ fromHz: Math.round(factor * 10_000), toHz: 10_000 })
  return Float32Array.from([...resampler.push(samples), ...resampler.flush()])
}

const base = measureVoice(voice(1))

test('a voice has the pitch that it was made with', () => {
  expect(base.pitchHz).toBeGreaterThan(105)
  expect(base.pitchHz).toBeLessThan(135)
  expect(base.voicedSeconds).toBeGreaterThan(8)
})

test.each([0.84, 0.92, 1, 1.08, 1.2])('another voice with formants of %f times is matched', (factor) => {
  const other = measureVoice(warped(voice(2), factor))
  expect(Math.abs(formantRatio(other, base) / factor - 1)).toBeLessThan(0.04)
  const [match] = matchVoice(other, [{ name: 'base', measure: base }]).matches
  expect(match?.base).toBe('base')
  expect(Math.abs((match?.pitchSemitones ?? 0) - 12 * Math.log2(factor))).toBeLessThan(0.8)
  expect(Math.abs(match?.tiltDbPerOctave ?? 0)).toBeLessThan(1.5)
})

const measured = (changes: Partial<VoiceMeasure>): VoiceMeasure => ({ ...base, ...changes })

test('the nearest voice comes first, and each differs within bounds', () => {
  const bases = [50, 110, 130, 400].map((pitchHz) => ({ name: `${pitchHz}`, measure: measured({ pitchHz }) }))
  const { kind, matches } = matchVoice(measured({ pitchHz: 128, rangeSemitones: 40 }), bases)
  expect(kind).toBe('parametric')
  expect(matches.map((match) => match.base)).toEqual(['130', '110', '50', '400'])
  expect(matches.map(({ pitchSemitones }) => pitchSemitones)).toEqual([-0.27, 2.62, 9, -9])
  expect(matches[0]).toMatchObject({ range: 1.8, rate: 1, warp: 1, tiltDbPerOctave: 0 })
  expect(matches[0]?.gainDb).toBeCloseTo(0)
})

test('only a rate beyond that of other texts counts', () => {
  const rateOf = (factor: number) =>
    matchVoice(measured({ syllablesPerSecond: factor * base.syllablesPerSecond }), [
      { name: 'base', measure: base },
    ]).matches[0]?.rate
  expect([0.5, 0.8, 0.9, 1.1, 1.3, 3].map(rateOf)).toEqual([0.75, 0.92, 1, 1, 1.13, 1.33])
})

test('what cannot be measured changes nothing', () => {
  const silent = measureVoice(new Float32Array(5 * ANALYSIS_RATE_HZ))
  const [match] = matchVoice(silent, [{ name: 'base', measure: base }]).matches
  for (const value of Object.values(match ?? {})) if (typeof value === 'number') expect(value).not.toBeNaN()
})
