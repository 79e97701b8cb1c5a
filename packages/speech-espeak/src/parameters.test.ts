import { expect, test } from 'vitest'
import { LANGUAGES, VOICES, type VoiceVariant } from './languages.ts'
import { wordsPerMinute } from './pace.ts'
import { FULL_VOLUME, toParameters } from './parameters.ts'

const neutral = { rate: 1, pitchSemitones: 0, range: 1, energy: 1 }
const variant: VoiceVariant = { name: 'f3', pitchHz: [140, 240] }
const voice = { espeak: 'en-us', variant }

test.each(Object.entries(VOICES))('maps neutral prosody of %s to the middle', (_, variant) => {
  expect(toParameters(neutral, { espeak: 'ne', variant })).toEqual({
    rate: 175,
    pitch: 50,
    range: 50,
    volume: FULL_VOLUME,
  })
})

test.each(LANGUAGES)('the rate of $tag is corrected by measurements of it', ({ espeak }) => {
  const [slow, plain, fast] = [0.5, 1, 2].map((rate) => wordsPerMinute(espeak, rate))
  expect(plain).toBe(175)
  // No language is so far off, and each has been measured.
  expect(slow).toBeGreaterThanOrEqual(80)
  expect(slow).toBeLessThan(110)
  expect(fast).toBeGreaterThan(260)
  expect(fast).toBeLessThanOrEqual(450)
  expect([slow, fast]).not.toEqual([88, 350])
})

test('parameters rise with the prosody and stay within bounds', () => {
  const rates = [0.1, 0.4, 0.5, 0.9, 1, 1.3, 2, 2.5, 9].map(
    (rate) => toParameters({ ...neutral, rate }, voice).rate,
  )
  expect(rates).toEqual(rates.toSorted((a, b) => a - b))
  const shifted = [-40, -10, -6, -3, 0, 2, 6, 10, 40].map((pitchSemitones) =>
    toParameters({ ...neutral, pitchSemitones }, voice),
  )
  for (const name of ['pitch', 'range'] as const) {
    const values = shifted.map((parameters) => parameters[name])
    expect(values).toEqual(values.toSorted((a, b) => a - b))
  }
  expect([shifted[0]?.pitch, shifted.at(-1)?.pitch, shifted.at(-1)?.range]).toEqual([0, 100, 99])
})

test('the range widens in proportion to the pitch', () => {
  expect(toParameters({ ...neutral, pitchSemitones: 6 }, voice).range).toBe(71)
  expect(toParameters({ ...neutral, pitchSemitones: -6 }, voice).range).toBe(35)
})
