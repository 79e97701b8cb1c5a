import type { ScoreName, SentVerification, Verification } from '@vaani/contracts'
import { type CheckName, type CheckResult, type ExtractedFields, toIsoCountry } from '@vaani/identity-checks'
import { toScore } from '@vaani/identity-checks/check'
import { shouldResubmit } from './rules/resubmit.ts'
import { reasonsOfReview } from './rules/review-reasons.ts'
import type { VerificationRow } from './tables.ts'

/** Name of the score that each check gives. */
const SCORE_OF: Readonly<Partial<Record<CheckName, ScoreName>>> = {
  document_quality: 'document_quality',
  document_recapture: 'recapture',
  mrz_checks: 'mrz_checks',
  printed_fields: 'ocr_confidence',
  document_template: 'ocr_confidence',
  barcode: 'document_authenticity',
  liveness: 'liveness',
  face_match: 'face_match',
}

type ShownColumns =
  | 'verification_id'
  | 'status'
  | 'checks'
  | 'reasons'
  | 'policy'
  | 'reviewed_by'
  | 'external_id'
  | 'livemode'
  | 'created_at'
  | 'decided_at'

/** Converts a row to the API's form. Includes extracted data only if it is passed. */
export function toVerification(
  row: Pick<VerificationRow, ShownColumns>,
  extracted?: ExtractedFields | null,
): SentVerification {
  return {
    verification_id: row.verification_id,
    decision: row.status,
    status: row.status,
    scores: scoresOf(row.checks),
    reasons: reasonsOf(row),
    resubmit: shouldResubmit({ status: row.status, reasons: storedReasons(row) }),
    ...(extracted !== undefined && { extracted: extracted === null ? null : toExtracted(extracted) }),
    model_used: modelsOf(row),
    external_id: row.external_id,
    livemode: row.livemode,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}

/** Says nothing of what was doubted once it is approved, and asks nobody to wait for a reviewer once there is a decision. */
function reasonsOf(row: Pick<VerificationRow, ReasonColumns>): SentVerification['reasons'] {
  const { status } = row
  if (status === 'approved') return []
  return storedReasons(row).map((reason) => ({
    ...reason,
    next_step:
      status === 'declined' && reason.check !== 'review' && !reason.retryable
        ? NOTHING_LEFT
        : reason.next_step,
  }))
}
type ReasonColumns = 'status' | 'reasons' | 'reviewed_by'
/** Earlier versions kept the findings of the checks when people declined. */
const storedReasons = ({ status, reasons, reviewed_by }: Pick<VerificationRow, ReasonColumns>) =>
  status === 'declined' && reviewed_by !== null && !reasons.some(({ check }) => check === 'review')
    ? reasonsOfReview('declined', [])
    : reasons

const NOTHING_LEFT = 'Nothing: the verification is decided.'

/** Clamps stored scores again, because one that the contract refuses would fail every list with its verification. */
const scoresOf = (checks: readonly CheckResult[]): Verification['scores'] =>
  Object.fromEntries(
    checks
      .flatMap(({ check, score }) => {
        const name = SCORE_OF[check]
        return name === undefined ? [] : [[name, toScore(score)] as const]
      })
      // Of two checks that give one score, at most one reads the document. The other must not hide its score.
      .toSorted(([, one], [, other]) => Number(one !== null) - Number(other !== null)),
  )

function modelsOf({ checks, policy }: Pick<VerificationRow, 'checks' | 'policy'>): string | null {
  const models = new Set(checks.map(({ model }) => model).filter((model) => model !== null))
  return models.size === 0 ? null : [...models, `policy:${policy}`].join(' ')
}

/** Converts what was read to the API's form. */
export const toExtracted = (fields: ExtractedFields): NonNullable<SentVerification['extracted']> => ({
  ...fields,
  nationality_iso: toIsoCountry(fields.nationality),
  issuing_country_iso: toIsoCountry(fields.issuing_country),
  mrz: fields.mrz === null ? null : { ...fields.mrz, lines: [...fields.mrz.lines] },
})
