import { expect, test } from 'vitest'
import { NEUTRAL } from '../emotions.ts'
import { createToneEngine } from '../tone.ts'
import { findClicks } from './find-clicks.ts'

const engine = createToneEngine()
const { sampleRateHz } = engine.capabilities()
const speech = await Array.fromAsync(
  engine.synthesize({ text: 'A tone of seconds.', voice: 'nova', language: 'en-US', prosody: NEUTRAL }),
)
const lost = Math.round(0.0013 * sampleRateHz)

test('an engine that joins its chunks as they are has no click', () => {
  expect(speech.length).toBeGreaterThan(2)
  expect(findClicks(speech, sampleRateHz)).toEqual([])
})

test.each<[string, (chunk: Int16Array, index: number) => Int16Array]>([
  ['drops the end of each chunk', (chunk) => chunk.subarray(0, -lost)],
  ['drops the beginning of each chunk', (chunk) => chunk.subarray(lost)],
  [
    'repeats the end of the chunk before',
    (chunk, index) => Int16Array.from([...(speech[index - 1]?.subarray(-lost) ?? []), ...chunk]),
  ],
])('an engine that %s has clicks', (_, change) => {
  expect(findClicks(speech.map(change), sampleRateHz).length).toBeGreaterThan(0)
})
