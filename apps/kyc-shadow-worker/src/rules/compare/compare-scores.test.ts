import { SCORE_NAMES } from '@vaani/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_TOLERANCES, findDifferentScores, type Scores } from './compare-scores.ts'

const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null })
const scores: fc.Arbitrary<Scores> = fc.record(Object.fromEntries(SCORE_NAMES.map((name) => [name, score])), {
  requiredKeys: [],
})

test('scores equal themselves, and the order of the sides does not matter', () => {
  fc.assert(
    fc.property(scores, scores, (one, other) => {
      expect(findDifferentScores(one, one, DEFAULT_TOLERANCES)).toEqual([])
      const forth = findDifferentScores(one, other, DEFAULT_TOLERANCES)
      expect(findDifferentScores(other, one, DEFAULT_TOLERANCES)).toEqual(forth)
    }),
  )
})

test('a score at its tolerance agrees, one beyond it or missing does not', () => {
  const primary = { liveness: 0.5, mrz_checks: 1, face_match: 0.9 }
  expect(findDifferentScores(primary, { ...primary, liveness: 0.6 }, DEFAULT_TOLERANCES)).toEqual([])
  expect(findDifferentScores(primary, { ...primary, liveness: 0.61 }, DEFAULT_TOLERANCES)).toEqual([
    'liveness',
  ])
  expect(findDifferentScores(primary, { ...primary, mrz_checks: 0.99 }, DEFAULT_TOLERANCES)).toEqual([
    'mrz_checks',
  ])
  expect(findDifferentScores(primary, { liveness: 0.5, mrz_checks: 1 }, DEFAULT_TOLERANCES)).toEqual([
    'face_match',
  ])
})
