import type { AamvaFields } from '../barcode/parse-aamva.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import type { TemplateFields } from '../templates/check-template.ts'
import type { ExtractedFields, Findings } from './job.ts'

/** Returns the fields of a document from its zone, or else its barcode, or else its print. Returns null if none was read. */
export function toFields({ mrz, barcode, template }: Findings): ExtractedFields | null {
  const names: Mrz | AamvaFields | null = mrz ?? barcode
  if (names === null) return template === null ? null : printedFields(template)
  const { surname, givenNames, documentNumber, dateOfBirth, expiryDate } = names
  return {
    document_type: mrz?.documentType ?? 'DL',
    document_number: documentNumber,
    full_name: fullName(givenNames, surname),
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

const printedFields = (template: TemplateFields): ExtractedFields => ({
  document_type: template.documentType,
  document_number: template.document_number ?? null,
  full_name: template.full_name ?? fullName(template.given_names, template.surname),
  surname: template.surname ?? null,
  given_names: template.given_names ?? null,
  date_of_birth: template.date_of_birth ?? null,
  expiry_date: template.expiry_date ?? null,
  nationality: template.nationality,
  issuing_country: template.issuingCountry,
  sex: template.sex ?? null,
  mrz: null,
})

const fullName = (given: string | null | undefined, surname: string | null | undefined): string | null =>
  [given, surname].filter(Boolean).join(' ') || null
