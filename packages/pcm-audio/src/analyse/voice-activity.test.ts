import fc from 'fast-check'
import { thorough } from '@vaani/test-services/thorough'
import { describe, expect, test } from 'vitest'
import {
  babble,
  cut,
  mixSpeech,
  pinkNoise,
  scoreVoice,
  sine,
  speechLike,
  toInt16,
  whiteNoise,
} from '@vaani/signals'
import { createVoiceActivityDetector, type VoiceEvent } from './voice-activity.ts'

function listen(samples: Int16Array, sampleRateHz = 16_000): VoiceEvent[] {
  const detector = createVoiceActivityDetector({ sampleRateHz })
  return [...detector.push(samples), ...detector.flush()]
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe.each(thorough({ usual: [16_000], long: [8000, 16_000, 48_000] }))(
  'the detection of synthetic speech in noise, at %d Hz',
  (sampleRateHz) => {
    const durationMs = 30_000
    const length = (durationMs * sampleRateHz) / 1000
    const people = [5, 6, 7].map((seed) => speechLike({ durationMs, sampleRateHz, seed }))
    const noises = {
      white: whiteNoise(length, 1),
      pink: pinkNoise(length, 2),
      babble: babble(length, sampleRateHz, 3),
    }

    // The rates that the package documents: the share of words detected, and of pauses taken for a voice.
    const rates = [
      ['white', 20, 0.98, 0.01],
      ['white', 10, 0.9, 0.01],
      ['white', 5, 0.7, 0.01],
      ['pink', 20, 0.97, 0.01],
      ['pink', 10, 0.9, 0.01],
      ['pink', 5, 0.78, 0.01],
      // Synthetic people babble without a pause, so real voices in louder babble are in voice-silero/bench/voice/babble.test.ts.
      ['babble', 20, 0.98, 0.12],
    ] as const
    // Usually each noise once.
    test.each(thorough({ usual: rates.filter((_, index) => index % 3 === 0), long: [...rates] }))(
      'in %s noise %d dB below, detects at least %d of words and at most %d of pauses',
      (noise, snrDb, hit, falseAlarm) => {
        const scores = people.map((spoken) =>
          scoreVoice(
            listen(mixSpeech(spoken, noises[noise], snrDb, sampleRateHz), sampleRateHz),
            spoken.words,
            durationMs,
          ),
        )
        expect(mean(scores.map(({ hitRate }) => hitRate))).toBeGreaterThanOrEqual(hit)
        expect(mean(scores.map(({ falseAlarmRate }) => falseAlarmRate))).toBeLessThanOrEqual(falseAlarm)
      },
    )
  },
)

const noise = whiteNoise(160_000, 5)
const noiseOf = (gain: (n: number) => number) => toInt16(noise.map((value, n) => value * gain(n)))

test.each([
  ['silence', new Int16Array(160_000)],
  ['noise from the first sample on', noiseOf(() => 0.1)],
  ['noise that starts later', noiseOf((n) => (n > 48_000 ? 0.05 : 0))],
  ['noise that rises by 20 dB and falls again', noiseOf((n) => (n > 48_000 && n < 112_000 ? 0.1 : 0.01))],
  ['bursts of noise', noiseOf((n) => (n % 16_000 < 3200 ? 0.1 : 0.01))],
])('%s is not a voice', (_, samples) => {
  expect(listen(samples)).toEqual([])
})

test('a tone counts as a voice only until it proves steady', () => {
  const tone = sine({ frequencyHz: 1000, amplitude: 0.1, samples: 160_000, sampleRateHz: 16_000 })
  const samples = toInt16(tone.map((value, n) => (n > 32_000 ? value : 0) + noise[n]! * 0.002))
  const events = listen(samples)
  expect(events.map(({ kind }) => kind)).toEqual(['start', 'end'])
  expect(events[1]!.atMs).toBeLessThan(4000)
})

describe('attack and hangover', () => {
  const sampleRateHz = 16_000
  /** Makes a vowel-like sound that starts at 2 s. */
  const vowel = (durationMs: number) => {
    const samples = whiteNoise(5 * sampleRateHz, 9).map((value) => value * 0.002)
    for (let n = 0; n < durationMs * 16; n++)
      for (let harmonic = 1; harmonic <= 20; harmonic++)
        samples[2 * sampleRateHz + n]! +=
          (0.1 / harmonic) * Math.sin((2 * Math.PI * 140 * harmonic * n) / sampleRateHz)
    return toInt16(samples)
  }
  const during = (durationMs: number, attackMs: number, hangoverMs: number) =>
    createVoiceActivityDetector({ sampleRateHz, attackMs, hangoverMs }).push(vowel(durationMs))

  test('a voice starts when it was first heard', () => {
    const [start] = during(500, 100, 200)
    expect(start?.kind).toBe('start')
    expect(Math.abs(start!.atMs - 2000)).toBeLessThanOrEqual(20)
  })

  test('a sound shorter than the attack is not a voice', () => {
    expect(during(100, 400, 200)).toEqual([])
    expect(during(800, 400, 200)).toHaveLength(2)
  })

  test('a voice ends once the hangover has elapsed', () => {
    const ends = [100, 200, 1000].map((hangoverMs) => during(500, 40, hangoverMs).at(-1)!)
    expect(ends.map(({ kind }) => kind)).toEqual(['end', 'end', 'end'])
    expect(ends[1]!.atMs - ends[0]!.atMs).toBe(100)
    expect(ends[2]!.atMs - ends[0]!.atMs).toBe(900)
    expect(ends[0]!.atMs).toBeLessThan(2700)
  })

  test('flush ends a voice in progress', () => {
    const detector = createVoiceActivityDetector({ sampleRateHz })
    const samples = vowel(500).subarray(0, 2.3 * sampleRateHz)
    expect(detector.push(samples).map(({ kind }) => kind)).toEqual(['start'])
    expect(detector.isSpeaking).toBe(true)
    expect(detector.flush()).toEqual([{ kind: 'end', atMs: 2300 }])
    expect(detector.isSpeaking).toBe(false)
  })
})

test('chunk boundaries do not affect the events, and flush resets', () => {
  const spoken = speechLike({ durationMs: 8000, sampleRateHz: 11_025, seed: 1 })
  const samples = mixSpeech(spoken, pinkNoise(spoken.samples.length, 2), 15, 11_025)
  const expected = listen(samples, 11_025)
  expect(expected.length).toBeGreaterThan(2)
  const detector = createVoiceActivityDetector({ sampleRateHz: 11_025 })
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 5 }), (lengths) => {
      const events = [...cut(samples, lengths)].flatMap((piece) => detector.push(piece))
      expect([...events, ...detector.flush()]).toEqual(expected)
    }),
    { numRuns: 20 },
  )
})

test('refuses invalid rates and durations', () => {
  for (const options of [
    { sampleRateHz: 7999 },
    { sampleRateHz: 96_000 },
    { sampleRateHz: 8000.5 },
    { sampleRateHz: 8000, attackMs: -1 },
    { sampleRateHz: 8000, hangoverMs: Number.NaN },
  ])
    expect(() => createVoiceActivityDetector(options)).toThrow(RangeError)
})
