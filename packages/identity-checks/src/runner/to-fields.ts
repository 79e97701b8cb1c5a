import type { AamvaFields } from '../barcode/parse-aamva.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import type { ExtractedFields, Findings } from './job.ts'

/** Returns the fields of a document from its zone or else its barcode, or null if neither was read. */
export function toFields({ mrz, barcode }: Findings): ExtractedFields | null {
  const names: Mrz | AamvaFields | null = mrz ?? barcode
  if (names === null) return null
  const { surname, givenNames, documentNumber, dateOfBirth, expiryDate } = names
  return {
    document_type: mrz?.documentType ?? 'DL',
    document_number: documentNumber,
    full_name: [givenNames, surname].filter(Boolean).join(' ') || null,
    surname,
    given_names: givenNames,
    date_of_birth: dateOfBirth,
    expiry_date: expiryDate,
    nationality: mrz?.nationality ?? null,
    issuing_country: mrz?.issuingCountry ?? barcode?.country ?? null,
    sex: mrz?.sex ?? null,
    mrz: mrz === null ? null : { format: mrz.format, lines: mrz.lines, valid: mrz.valid },
  }
}
