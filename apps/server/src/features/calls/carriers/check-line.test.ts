import { describe, expect, test } from 'vitest'
import { type Heard, judgeCall, judgeFrame } from './check-line.ts'

const RATE_HZ = 16_000
const toneOf = (hz: number, amplitude = 8000): Int16Array =>
  Int16Array.from({ length: 320 }, (_, n) => amplitude * Math.sin((2 * Math.PI * hz * n) / RATE_HZ))

describe('a frame', () => {
  test.each<[string, Int16Array, Heard]>([
    ['our tone', toneOf(440), 'echo'],
    ['our tone, quieter by 15 dB', toneOf(440, 1400), 'echo'],
    ['another tone', toneOf(1000), 'sound'],
    ['a ringing tone beside ours', toneOf(2200), 'sound'],
    ['noise below what is heard', toneOf(440, 500), 'nothing'],
    ['silence', new Int16Array(320), 'nothing'],
  ])('of %s', (_name, samples, heard) => {
    expect(judgeFrame(samples, RATE_HZ)).toBe(heard)
  })
})

test.each<[string, number, number, Heard]>([
  ['half a second of our tone', 25, 0, 'echo'],
  ['a sound that is not ours', 0, 25, 'sound'],
  ['both, each too short', 13, 12, 'sound'],
  ['a click', 0, 3, 'nothing'],
])('a call with %s', (_name, echoes, sounds, heard) => {
  const frames = [
    ...Array.from({ length: 50 }, (): Heard => 'nothing'),
    ...Array.from({ length: echoes }, (): Heard => 'echo'),
    ...Array.from({ length: sounds }, (): Heard => 'sound'),
  ]
  expect(judgeCall(frames)).toBe(heard)
})
