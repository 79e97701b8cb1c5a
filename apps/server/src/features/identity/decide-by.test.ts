import { CHECK_NAMES, DOCUMENT_ONLY_POLICY, type ExtractedFields, type Policy } from '@vaani/identity-checks'
import { expect, test } from 'vitest'
import { decideBy } from './decide-by.ts'

const checks = CHECK_NAMES.filter((check) => check !== 'document_accepted').map((check) => ({
  check,
  outcome: 'passed' as const,
  code: 'fine',
  score: 1,
  evidence: {},
  model: null,
}))
const extracted: ExtractedFields = {
  document_type: 'P',
  document_number: 'L898902C3',
  full_name: 'ANNA MARIA ERIKSSON',
  surname: 'ERIKSSON',
  given_names: 'ANNA MARIA',
  date_of_birth: '2010-01-01',
  expiry_date: '2032-04-15',
  nationality: 'SWE',
  issuing_country: 'SWE',
  sex: 'F',
  mrz: null,
}
const nowMs = Date.parse('2026-11-27T12:00:00Z')
const adults: Policy = {
  ...DOCUMENT_ONLY_POLICY,
  name: 'adults',
  accepts: { ...DOCUMENT_ONLY_POLICY.accepts, minAge: 18 },
}

test('another policy checks anew whether it accepts the document', () => {
  const first = decideBy(DOCUMENT_ONLY_POLICY, { checks, extracted, livemode: true, nowMs })
  expect(first.decision).toBe('approved')
  const second = decideBy(adults, { checks: first.checks, extracted, livemode: true, nowMs })
  expect(second).toMatchObject({ decision: 'review', reasons: [{ code: 'under_age' }] })
  expect(second.checks).toHaveLength(CHECK_NAMES.length)
})

test('once the fields are erased, the earlier result stays', () => {
  const { checks: kept } = decideBy(adults, { checks, extracted, livemode: true, nowMs })
  const again = decideBy(DOCUMENT_ONLY_POLICY, { checks: kept, extracted: null, livemode: true, nowMs })
  expect(again).toMatchObject({ decision: 'review', reasons: [{ code: 'under_age' }] })
})
