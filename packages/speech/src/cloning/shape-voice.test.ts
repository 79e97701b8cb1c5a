import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shapeVoice, tiltGainDb, type VoiceShape } from './shape-voice.ts'

const RATE = 22_050
const PLAIN: VoiceShape = { warp: 1, tiltDbPerOctave: 0, gainDb: 0 }

const tone = (hz: number, seconds = 1, peak = 8000) =>
  Int16Array.from({ length: seconds * RATE }, (_, index) =>
    Math.round(peak * Math.sin((2 * Math.PI * hz * index) / RATE)),
  )
function shape(samples: Int16Array, changes: Partial<VoiceShape>, cuts: readonly number[] = []): Int16Array {
  const shaper = shapeVoice({ ...PLAIN, ...changes }, RATE)
  const edges = [0, ...cuts, samples.length]
  const parts = edges.slice(1).map((end, index) => shaper.push(samples.subarray(edges[index], end)))
  return Int16Array.from([...parts, shaper.flush()].flatMap((part) => [...part]))
}
const rms = (samples: Int16Array) => {
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4)
  return Math.sqrt(middle.reduce((sum, sample) => sum + sample ** 2, 0) / middle.length)
}
const crossings = (samples: Int16Array) =>
  samples.filter((sample, index) => sample >= 0 && (samples[index - 1] ?? 0) < 0).length

test('a plain shape changes nothing', () => {
  expect(shape(tone(440), {})).toEqual(tone(440))
})

test.each([0.72, 0.9, 1.1, 1.28])('a warp of %f moves frequencies and duration by it', (warp) => {
  const shaped = shape(tone(440, 2), { warp })
  expect(Math.abs(shaped.length * warp - 2 * RATE)).toBeLessThan(3)
  expect(crossings(shaped) / (shaped.length / RATE) / (440 * warp)).toBeCloseTo(1, 2)
})

describe.each([-4, -1.5, 2, 4])('a tilt of %f dB per octave', (tiltDbPerOctave) => {
  test.each([250, 500, 1000, 2000, 4000])('changes the level at %i Hz as computed', (hz) => {
    // Quiet, so that nothing is limited.
    const gain = 20 * Math.log10(rms(shape(tone(hz, 1, 300), { tiltDbPerOctave })) / rms(tone(hz, 1, 300)))
    expect(Math.abs(gain - tiltGainDb(tiltDbPerOctave, hz))).toBeLessThan(1.1)
  })

  test('is a straight slope from 500 to 4000 Hz', () => {
    const slope = (tiltGainDb(tiltDbPerOctave, 4000) - tiltGainDb(tiltDbPerOctave, 500)) / 3
    expect(Math.abs(slope - tiltDbPerOctave)).toBeLessThan(0.25 * Math.abs(tiltDbPerOctave))
  })
})

test('no gain exceeds full scale', () => {
  const shaped = shape(tone(440, 1, 32_000), { gainDb: 12 })
  expect(Math.max(...shaped)).toBeLessThan(32_760)
  expect(Math.min(...shaped)).toBeGreaterThan(-32_760)
})

test('chunk boundaries change no sample', () => {
  const samples = tone(313, 0.3)
  const changes = { warp: 0.9, tiltDbPerOctave: -2, gainDb: 1 }
  const whole = shape(samples, changes)
  fc.assert(
    fc.property(fc.array(fc.nat(samples.length), { maxLength: 6 }), (cuts) => {
      expect(
        shape(
          samples,
          changes,
          cuts.toSorted((one, other) => one - other),
        ),
      ).toEqual(whole)
    }),
    { numRuns: 20 },
  )
})
