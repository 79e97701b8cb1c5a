import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_TOLERANCES } from '../compare/compare-scores.ts'
import { ENDINGS, FIELD_NAMES } from '@vaani/contracts/migration'
import { judgePair, type Side } from './judge-pair.ts'

const limits = { answerMs: 2000, decisionMs: 60_000, tolerances: DEFAULT_TOLERANCES }

const approved: Side = {
  ending: 'approved',
  errorCode: null,
  scores: { liveness: 0.9, face_match: 0.8 },
  extracted: { full_name: 'Sita Rai', document_number: 'AB12' },
  isIdConfirmed: true,
  hasCalledBack: true,
  answerMs: 300,
  decisionMs: 5000,
}

const flag = fc.option(fc.boolean(), { nil: null })
const millis = fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: null })
const sides: fc.Arbitrary<Side> = fc.record({
  ending: fc.constantFrom(...ENDINGS),
  errorCode: fc.constantFrom(null, 'spoof_detected', 'missing_artifact'),
  scores: fc.record({ liveness: fc.double({ min: 0, max: 1, noNaN: true }) }),
  extracted: fc.option(
    fc.dictionary(fc.constantFrom(...FIELD_NAMES), fc.option(fc.string({ minLength: 1 }), { nil: null })),
    { nil: null },
  ),
  isIdConfirmed: flag,
  hasCalledBack: flag,
  answerMs: millis,
  decisionMs: millis,
})

test('a side agrees with itself', () => {
  fc.assert(
    fc.property(sides, (side) => {
      const judged = judgePair(side, side, limits)
      expect(judged).toMatchObject({ severity: null, differsInCode: false, differentScores: [] })
      expect(new Set(Object.values(judged.fields))).toEqual(new Set(side.extracted === null ? [] : ['equal']))
      const { worst_mismatches, mild_mismatches, candidate_errors, unfinished_pairs } = judged.trials
      expect([worst_mismatches, mild_mismatches, candidate_errors, unfinished_pairs]).not.toContain(true)
    }),
  )
})

test('decisions are compared alike in either order', () => {
  fc.assert(
    fc.property(sides, sides, (one, other) => {
      const [forth, back] = [judgePair(one, other, limits), judgePair(other, one, limits)]
      expect(back.severity).toBe(forth.severity)
      expect(back.differsInCode).toBe(forth.differsInCode)
      expect(back.differentScores).toEqual(forth.differentScores)
      for (const name of ['worst_mismatches', 'serious_mismatches', 'mild_mismatches'] as const)
        expect(back.trials[name]).toBe(forth.trials[name])
    }),
  )
})

test('a worse mismatch is one of every milder class too', () => {
  const { trials } = judgePair(approved, { ...approved, ending: 'declined' }, limits)
  expect(trials).toMatchObject({ worst_mismatches: true, serious_mismatches: true, mild_mismatches: true })
})

test('an error of both is blamed on neither, and is no decision to compare', () => {
  const failed: Side = {
    ...approved,
    ending: 'failed',
    extracted: null,
    isIdConfirmed: null,
    hasCalledBack: null,
    decisionMs: null,
  }
  expect(judgePair(failed, failed, limits).trials).toEqual({
    candidate_errors: false,
    unfinished_pairs: false,
    slow_answers: false,
  })
  expect(judgePair(approved, failed, limits).trials).toMatchObject({ candidate_errors: true })
  expect(judgePair(failed, approved, limits).trials).toMatchObject({ candidate_errors: false })
})

test('what did not come is an event of its own', () => {
  const late: Side = {
    ...approved,
    isIdConfirmed: false,
    hasCalledBack: false,
    answerMs: 2001,
    decisionMs: 60_001,
  }
  expect(judgePair(approved, late, limits).trials).toMatchObject({
    unconfirmed_ids: true,
    missing_callbacks: true,
    slow_answers: true,
    slow_decisions: true,
  })
})

test('nothing that was read is kept', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 6 }).filter((text) => /\p{L}{6}/u.test(text)),
      (name) => {
        const other: Side = { ...approved, extracted: { full_name: name, document_number: name } }
        expect(JSON.stringify(judgePair(approved, other, limits))).not.toContain(name)
      },
    ),
  )
})
