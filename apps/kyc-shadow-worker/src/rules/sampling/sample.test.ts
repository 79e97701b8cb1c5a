import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSampled } from './sample.ts'

const KEY = Buffer.alloc(32, 7)
const shares = fc.double({ min: 0, max: 1, noNaN: true })

test('a larger share holds the smaller', () => {
  fc.assert(
    fc.property(fc.string(), shares, shares, (subject, one, other) => {
      const [small, large] = [Math.min(one, other), Math.max(one, other)]
      if (isSampled(subject, small, KEY)) expect(isSampled(subject, large, KEY)).toBe(true)
    }),
  )
})

test('all subjects are in the whole, none is in nothing', () => {
  fc.assert(
    fc.property(fc.string(), (subject) => {
      expect(isSampled(subject, 1, KEY)).toBe(true)
      expect(isSampled(subject, 0, KEY)).toBe(false)
    }),
  )
})

test.each([0.01, 0.1, 0.25, 0.5])('of ids that count up, the share %d is sampled', (share) => {
  const SUBJECTS = 20_000
  const sampled = Array.from({ length: SUBJECTS }, (_, i) => isSampled(`user-${i}`, share, KEY)).filter(
    Boolean,
  )
  const deviation = Math.sqrt((share * (1 - share)) / SUBJECTS)
  expect(Math.abs(sampled.length / SUBJECTS - share)).toBeLessThan(5 * deviation)
})

test('another key draws another sample', () => {
  const [one, other] = [randomBytes(32), randomBytes(32)]
  const both = Array.from({ length: 5000 }, (_, i) => `user-${i}`).filter(
    (subject) => isSampled(subject, 0.5, one) && isSampled(subject, 0.5, other),
  )
  expect(both.length / 5000).toBeCloseTo(0.25, 1)
})
