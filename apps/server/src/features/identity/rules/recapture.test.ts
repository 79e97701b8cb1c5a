import { type CheckResult, notRun } from '@vaani/identity-checks/check'
import { expect, test } from 'vitest'
import { recaptureOf } from './recapture.ts'

const judged = (outcome: CheckResult['outcome']): CheckResult => ({
  ...notRun('document_recapture', 'no_moire'),
  outcome,
})

test('the recapture check of a document is that of its worse side', () => {
  expect(recaptureOf([judged('passed')])).toMatchObject({ outcome: 'passed' })
  expect(recaptureOf([judged('passed'), judged('warning')])).toMatchObject({ outcome: 'warning' })
  expect(recaptureOf([notRun('document_recapture', 'image_too_small'), judged('passed')])).toMatchObject({
    outcome: 'not_run',
    code: 'image_too_small',
  })
})

test.each(['check_failed', 'check_timed_out'])('a side with %s leaves the check to the worker', (code) => {
  expect(recaptureOf([judged('passed'), notRun('document_recapture', code)])).toBeNull()
})
