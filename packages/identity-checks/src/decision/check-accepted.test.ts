import { expect, test } from 'vitest'
import type { ExtractedFields } from '../runner/job.ts'
import { ALL_BUT_VISAS, type AcceptedDocuments, checkAccepted } from './check-accepted.ts'

const PASSPORT: ExtractedFields = {
  document_type: 'P',
  document_number: 'L898902C3',
  full_name: 'ANNA MARIA ERIKSSON',
  surname: 'ERIKSSON',
  given_names: 'ANNA MARIA',
  date_of_birth: '2008-11-28',
  expiry_date: '2032-04-15',
  nationality: 'SWE',
  issuing_country: 'SWE',
  sex: 'F',
  mrz: null,
}
const check = (
  fields: Partial<ExtractedFields>,
  accepted: Partial<AcceptedDocuments> = {},
  { today = '2026-11-27', livemode = true } = {},
) => {
  const { outcome, code } = checkAccepted(
    { ...PASSPORT, ...fields },
    { ...ALL_BUT_VISAS, ...accepted },
    { today, livemode },
  )
  return [outcome, code]
}
const ACCEPTED = ['passed', 'document_accepted']

test.each([
  ['P', ACCEPTED],
  ['PD', ACCEPTED],
  ['ID', ACCEPTED],
  ['DL', ACCEPTED],
  ['citizenship', ACCEPTED],
  ['V', ['failed', 'document_kind_not_accepted']],
  ['VB', ['failed', 'document_kind_not_accepted']],
])('the built-in policies take a document of type %s as %j', (document_type, expected) => {
  expect(check({ document_type })).toEqual(expected)
})

test('a policy may accept some kinds, and some countries by the codes of ISO', () => {
  const passports: Partial<AcceptedDocuments> = { documents: ['passport'], countries: ['DEU', 'SWE'] }
  expect(check({}, passports)).toEqual(ACCEPTED)
  expect(check({ issuing_country: 'D' }, passports)).toEqual(ACCEPTED)
  expect(check({ issuing_country: 'NOR' }, passports)).toEqual(['failed', 'country_not_accepted'])
  expect(check({ document_type: 'I' }, passports)).toEqual(['failed', 'document_kind_not_accepted'])
  expect(check({ issuing_country: null }, passports)).toEqual(['warning', 'country_not_read'])
})

test('a person is of age on their birthday', () => {
  const adults = { minAge: 18 }
  expect(check({}, adults)).toEqual(['failed', 'under_age'])
  expect(check({}, adults, { today: '2026-11-28' })).toEqual(ACCEPTED)
  expect(check({ date_of_birth: null }, adults)).toEqual(['warning', 'age_not_read'])
})

test('specimens are for test keys, unless the policy accepts them', () => {
  for (const specimen of [{ issuing_country: 'UTO' }, { surname: 'SPECIMEN' }]) {
    expect(check(specimen)).toEqual(['failed', 'document_is_specimen'])
    expect(check(specimen, {}, { livemode: false })).toEqual(ACCEPTED)
    expect(check(specimen, { specimens: true })).toEqual(ACCEPTED)
  }
})

test('without anything read, there is nothing to accept', () => {
  expect(checkAccepted(null, ALL_BUT_VISAS, { today: '2026-11-27', livemode: true })).toMatchObject({
    outcome: 'not_run',
    code: 'nothing_read',
  })
})
