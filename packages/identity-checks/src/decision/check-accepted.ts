import { type CheckResult, notRun } from '../check.ts'
import { toIsoCountry } from './iso-country.ts'
import type { ExtractedFields } from '../runner/job.ts'

/** Kinds of documents, by the first letter of the code in their zone; `other` is for documents that a template names. */
export const DOCUMENT_KINDS = ['passport', 'identity_card', 'driving_licence', 'visa', 'other'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** Documents that a policy accepts. */
export interface AcceptedDocuments {
  readonly documents: readonly DocumentKind[]
  /** Codes of three letters (ISO 3166-1) of the states that issued them; null for all. */
  readonly countries: readonly string[] | null
  /** In years; null for any. */
  readonly minAge: number | null
  /** Whether documents that say they are specimens, and those of Utopia, are accepted with live keys. With test keys they always are. */
  readonly specimens: boolean
}

/** A visa permits to enter a country, and is no identity document. */
export const ALL_BUT_VISAS: AcceptedDocuments = {
  documents: DOCUMENT_KINDS.filter((kind) => kind !== 'visa'),
  countries: null,
  minAge: null,
  specimens: false,
}

/**
 * Checks whether a policy accepts the document and its holder. Its result depends on the policy, so whoever decides makes it of what was read.
 *
 * @param options.today YYYY-MM-DD
 * @example
 * checkAccepted(fields, { ...ALL_BUT_VISAS, minAge: 18 }, { today: '2026-11-27', livemode: true }).code // 'under_age'
 */
export function checkAccepted(
  fields: ExtractedFields | null,
  accepted: AcceptedDocuments,
  { today, livemode }: { today: string; livemode: boolean },
): CheckResult {
  if (fields === null) return notRun('document_accepted', 'nothing_read')
  const refusal = findRefusal(fields, { accepted, today, livemode })
  if (refusal === null)
    return { ...notRun('document_accepted', 'document_accepted'), outcome: 'passed', score: 1 }
  return {
    ...notRun('document_accepted', refusal.code),
    ...refusal,
    score: refusal.outcome === 'failed' ? 0 : null,
  }
}

function findRefusal(
  fields: ExtractedFields,
  { accepted, today, livemode }: { accepted: AcceptedDocuments; today: string; livemode: boolean },
): { code: string; outcome: 'failed' | 'warning' } | null {
  const failed = (code: string) => ({ code, outcome: 'failed' as const })
  const unsure = (code: string) => ({ code, outcome: 'warning' as const })
  if (!accepted.documents.includes(kindOf(fields.document_type))) return failed('document_kind_not_accepted')
  if (livemode && !accepted.specimens && isSpecimen(fields)) return failed('document_is_specimen')
  if (accepted.countries !== null) {
    if (fields.issuing_country === null) return unsure('country_not_read')
    const country = toIsoCountry(fields.issuing_country) ?? fields.issuing_country
    if (!accepted.countries.includes(country)) return failed('country_not_accepted')
  }
  if (accepted.minAge !== null) {
    if (fields.date_of_birth === null) return unsure('age_not_read')
    if (ageOn(today, fields.date_of_birth) < accepted.minAge) return failed('under_age')
  }
  return null
}

/** ICAO Doc 9303: P is for passports (part 4), V for visas (part 7), and A, C and I for other documents (parts 5 and 6). */
function kindOf(documentType: string | null): DocumentKind {
  if (documentType === 'DL') return 'driving_licence'
  if (documentType === null || documentType.length > 2) return 'other'
  if (documentType.startsWith('P')) return 'passport'
  if (documentType.startsWith('V')) return 'visa'
  return /^[ACI]/.test(documentType) ? 'identity_card' : 'other'
}

/** Utopia (UTO) is the state of ICAO's examples. */
const isSpecimen = ({ issuing_country, surname, given_names, full_name }: ExtractedFields): boolean =>
  issuing_country === 'UTO' || /\bSPECIMEN\b/i.test([surname, given_names, full_name].join(' '))

/** Full years between two dates of the form YYYY-MM-DD. */
function ageOn(today: string, birth: string): number {
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4))
  return today.slice(5) < birth.slice(5) ? years - 1 : years
}
