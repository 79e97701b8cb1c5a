import { expect, test } from 'vitest'
import { SAMPLE_RATE_HZ } from './messages.ts'
import { createTempo } from './tempo.ts'

/** Two seconds of a voice at 150 Hz, with its harmonics, in pieces of any length. */
const VOICE = Int16Array.from({ length: 2 * SAMPLE_RATE_HZ }, (_, index) => {
  const phase = (2 * Math.PI * 150 * index) / SAMPLE_RATE_HZ
  return 4000 * (Math.sin(phase) + Math.sin(2 * phase) / 2 + Math.sin(5 * phase) / 3)
})

function change(samples: Int16Array, factor: number, pieceSamples = 700): number[] {
  const tempo = createTempo(factor)
  const made: number[] = []
  for (let at = 0; at < samples.length; at += pieceSamples)
    made.push(...tempo.push(samples.slice(at, at + pieceSamples)))
  return [...made, ...tempo.flush()]
}

/** How often a wave of 150 Hz repeats in a second: rising zeros of its fundamental, which the harmonics don't add to. */
const risesPerSecond = (samples: readonly number[]): number =>
  samples.filter((sample, index) => sample >= 0 && (samples[index - 1] ?? 0) < 0).length /
  (samples.length / SAMPLE_RATE_HZ)

test.each([0.5, 0.6, 0.85, 0.95, 1.05, 1.15, 1.4, 2])(
  'speech %d times as fast keeps its pitch and joins',
  (factor) => {
    const made = change(VOICE, factor)
    expect(Math.abs(VOICE.length / made.length / factor - 1)).toBeLessThan(0.02)
    const usual = risesPerSecond([...VOICE])
    expect(Math.abs(risesPerSecond(made) / usual - 1)).toBeLessThan(0.02)
    const steepest = (samples: ArrayLike<number>) =>
      Math.max(...Array.from(samples, (sample, index) => Math.abs(sample - (samples[index - 1] ?? sample))))
    expect(steepest(made)).toBeLessThan(1.2 * steepest(VOICE))
  },
)

test('pieces of any length give the same, and a factor of 1 gives what came', () => {
  expect(change(VOICE, 1.1, 113)).toEqual(change(VOICE, 1.1, 5000))
  expect(change(VOICE, 0.9, 113)).toEqual(change(VOICE, 0.9, 5000))
  expect(change(VOICE, 1, 113)).toEqual([...VOICE])
})

test('silence and short sounds stay what they are', () => {
  expect(change(new Int16Array(9000), 1.2).some(Boolean)).toBe(false)
  expect(change(VOICE.slice(0, 100), 1.2)).toEqual(Array.from(VOICE.slice(0, 100)))
  expect(change(new Int16Array(), 0.8)).toEqual([])
})
