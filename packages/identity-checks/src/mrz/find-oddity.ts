import { cutField, cutNames, isPartlyUnknown, type Mrz, type MrzFormat } from './parse-mrz.ts'

/** A property that no zone of a document has, but misread zones have. */
export type MrzOddity =
  | 'run_of_letters'
  | 'document_type'
  | 'country'
  | 'names'
  | 'document_number'
  | 'date_of_birth'
  | 'expiry_date'

/** Longer than in any name or number. Fillers that a picture distorts are read like this. */
const RUN_OF_LETTERS = /([A-Z])\1{3}/
/** Letters that the zones of passports, cards and visas start with (ICAO Doc 9303, parts 4 to 7). */
const DOCUMENT_TYPE: Readonly<Record<MrzFormat, RegExp>> = {
  TD1: /^[ACI]/,
  TD2: /^[ACI]/,
  TD3: /^P/,
  'MRV-A': /^V/,
  'MRV-B': /^V/,
  'FRA-ID': /^ID/,
}
/** Surname and given names, with one filler between words, two between the names and only fillers after them. */
const NAMES = /^(?:[A-Z]+(?:<[A-Z]+)*)?(?:<<[A-Z]+(?:<[A-Z]+)*)?<*$/
const COUNTRY = /^[A-Z]{1,3}<{0,2}$/
const NUMBER = /^[A-Z0-9][A-Z0-9<]*$/

/**
 * Finds out whether a zone contains what no document does. Check digits cover no name, and fit one misread line in a few
 * hundred by chance.
 */
export function findOddity(mrz: Mrz): MrzOddity | null {
  const field = (name: Parameters<typeof cutField>[1]) => cutField(mrz, name)
  if (mrz.lines.some((line) => RUN_OF_LETTERS.test(line))) return 'run_of_letters'
  if (!DOCUMENT_TYPE[mrz.format].test(field('type'))) return 'document_type'
  if (!COUNTRY.test(field('country')) || !COUNTRY.test(field('nationality'))) return 'country'
  if (!NAMES.test(cutNames(mrz)) || (mrz.surname ?? mrz.givenNames) === null) return 'names'
  if (!NUMBER.test(field('number'))) return 'document_number'
  if (mrz.dateOfBirth === null && !isPartlyUnknown(field('birth'))) return 'date_of_birth'
  if (mrz.expiryDate === null && !mrz.neverExpires && field('expiry') !== '') return 'expiry_date'
  return null
}
