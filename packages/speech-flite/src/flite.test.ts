import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createFlite, type Flite } from './flite.ts'
import { loadProgram } from './load-program.ts'
import { type Job, SAMPLE_RATE_HZ } from './messages.ts'

let flite: Flite
beforeAll(async () => {
  flite = createFlite(await loadProgram())
})

const NEUTRAL = {
  voice: 'slt',
  stretch: 1,
  pitchHz: 172,
  deviationHz: 27,
  takenAtHz: SAMPLE_RATE_HZ,
  gainDb: -4,
  marksWords: false,
} as const
const speak = (text: string, more: Partial<Job> = {}) =>
  flite.speak({ ...NEUTRAL, words: text.split(' '), ...more })
const digestOf = ({ buffer }: Int16Array): string =>
  createHash('sha256').update(new Uint8Array(buffer)).digest('hex')

test.each([
  '-o /etc/x',
  '-f /etc/passwd',
  '-ssml',
  '--setf duration_stretch=9',
  '-voice kal',
  '-l',
  '"; exit',
])('the text %s is spoken and obeyed by nothing', (text) => {
  const before = digestOf(speak('Good morning').samples)
  const seconds = speak(text).samples.length / SAMPLE_RATE_HZ
  expect(seconds).toBeGreaterThan(0.1)
  expect(seconds).toBeLessThan(8)
  expect(digestOf(speak('Good morning').samples)).toBe(before)
})

test('long words and marks alone have an end', () => {
  expect(speak('a'.repeat(60)).samples.length).toBeGreaterThan(SAMPLE_RATE_HZ)
  expect(speak('9'.repeat(60)).samples.length).toBeGreaterThan(SAMPLE_RATE_HZ)
  expect(speak('...').samples).toHaveLength(0)
})

test('words begin where their sound does', () => {
  const { samples, starts } = speak('Good morning, Anna', { marksWords: true })
  expect(starts).toHaveLength(3)
  const level = (from = 0, seconds = 0.05) =>
    Math.max(...samples.subarray(Math.max(0, from), from + seconds * SAMPLE_RATE_HZ).map(Math.abs))
  // Flite pauses before the name, and not after “good”.
  const anna = starts[2] ?? 0
  expect(level(anna - 0.06 * SAMPLE_RATE_HZ)).toBeLessThan(500)
  expect(level(anna, 0.1)).toBeGreaterThan(1000)
  expect(level((starts[1] ?? 0) - 0.05 * SAMPLE_RATE_HZ)).toBeGreaterThan(500)
})

test('marking words changes no sample', () => {
  expect(digestOf(speak('Good morning', { marksWords: true }).samples)).toBe(
    digestOf(speak('Good morning').samples),
  )
})

test('the edges are faded, and the gain never overflows', () => {
  const { samples } = speak('Good morning', { gainDb: 26 })
  expect(Math.abs(samples[0] ?? 0)).toBeLessThan(500)
  expect(Math.max(...samples)).toBeLessThanOrEqual(32_767)
})
