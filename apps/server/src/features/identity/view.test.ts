import { type VerificationStatus, verificationSchema } from '@vaani/contracts'
import type { DecisionReason } from '@vaani/identity-checks'
import { CHECK_NAMES, type CheckResult } from '@vaani/identity-checks/check'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toVerification } from './view.ts'

const rowWith = (checks: CheckResult[]): Parameters<typeof toVerification>[0] => ({
  verification_id: 'ver_00000000000000000000000000',
  status: 'review',
  livemode: true,
  external_id: null,
  checks,
  reasons: [],
  policy: 'default',
  created_at: new Date(0),
  decided_at: null,
  reviewed_by: null,
})

test('a stored score outside 0 to 1 is sent as the nearest one', () => {
  const recapture = (score: number): CheckResult => ({
    check: 'document_recapture',
    outcome: 'passed',
    code: 'no_moire',
    score,
    evidence: {},
    model: 'moire-peaks/1',
  })
  expect(toVerification(rowWith([recapture(1.083)])).scores).toEqual({ recapture: 1 })
  expect(toVerification(rowWith([recapture(-0.2)])).scores).toEqual({ recapture: 0 })
})

test('asks nobody to wait for a reviewer once the verification is decided', () => {
  const reasons: DecisionReason[] = [
    {
      code: 'no_engine',
      check: 'liveness',
      outcome: 'not_run',
      message: 'Not checked.',
      next_step: 'Wait.',
      retryable: false,
    },
    {
      code: 'image_blurred',
      check: 'document_quality',
      outcome: 'failed',
      message: 'Blurred.',
      next_step: 'Try again.',
      retryable: true,
    },
  ]
  const stepsIn = (status: VerificationStatus) =>
    toVerification({ ...rowWith([]), reasons, status }).reasons?.map(({ next_step }) => next_step)
  expect(stepsIn('review')).toEqual(['Wait.', 'Try again.'])
  expect(stepsIn('declined')).toEqual(['Nothing: the verification is decided.', 'Try again.'])
  expect(stepsIn('approved')).toEqual([])
})

test('the score of the check that read the document is not hidden by the one that did not', () => {
  const read = (check: CheckResult['check'], score: number | null): CheckResult => ({
    check,
    outcome: score === null ? 'not_run' : 'passed',
    code: '',
    score,
    evidence: {},
    model: null,
  })
  const scores = (...checks: CheckResult[]) => toVerification(rowWith(checks)).scores
  expect(scores(read('printed_fields', 0.9), read('document_template', null))).toEqual({
    ocr_confidence: 0.9,
  })
  expect(scores(read('document_template', 0.8), read('printed_fields', null))).toEqual({
    ocr_confidence: 0.8,
  })
})

test('any stored results are sent as the contract has them', () => {
  /** As read from a column of JSON, whose content the database does not check. */
  const stored = fc.array(
    fc.record({
      check: fc.oneof(fc.constantFrom(...CHECK_NAMES), fc.string()),
      outcome: fc.constantFrom('passed', 'failed'),
      code: fc.string(),
      score: fc.oneof(fc.double(), fc.jsonValue()),
      evidence: fc.constant({}),
      model: fc.option(fc.string()),
    }),
  )
  fc.assert(
    fc.property(stored, (checks) => {
      const sent = toVerification(rowWith(JSON.parse(JSON.stringify(checks))))
      expect(verificationSchema.safeParse(sent).error).toBeUndefined()
    }),
  )
})
