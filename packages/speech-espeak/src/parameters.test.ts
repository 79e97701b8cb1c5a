import { expect, test } from 'vitest'
import { toParameters } from './parameters.ts'

const neutral = { rate: 1, pitchSemitones: 0, range: 1, energy: 1 }

test('maps neutral prosody to the middle', () => {
  expect(toParameters(neutral)).toEqual({ rate: 175, pitch: 50, range: 50, volume: 100 })
})

test('corrects the rate at its ends', () => {
  expect(toParameters({ ...neutral, rate: 1.937 }).rate).toBe(350)
  expect(toParameters({ ...neutral, rate: 0.5 }).rate).toBeGreaterThan(87)
})

test('parameters rise with the prosody and stay within bounds', () => {
  const rates = [0.1, 0.4, 0.5, 0.9, 1, 1.3, 2, 2.5, 9].map((rate) => toParameters({ ...neutral, rate }).rate)
  expect(rates).toEqual(rates.toSorted((a, b) => a - b))
  const pitches = [-40, -7, -3, 0, 2, 6, 8, 40].map(
    (pitchSemitones) => toParameters({ ...neutral, pitchSemitones }).pitch,
  )
  expect(pitches).toEqual(pitches.toSorted((a, b) => a - b))
  expect([pitches[0], pitches.at(-1)]).toEqual([0, 100])
})
