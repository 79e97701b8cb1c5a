/** How a check ended. `not_run` is none of the others: it is no evidence for anything. */
export const CHECK_OUTCOMES = ['passed', 'warning', 'failed', 'not_run'] as const
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number]

/** Every check there is. A policy says what each of them means for a decision. */
export const CHECK_NAMES = [
  'document_quality',
  'document_recapture',
  'mrz_checks',
  'printed_fields',
  'barcode',
  'document_expiry',
  'video_integrity',
  'video_motion',
  'face_presence',
  'liveness',
  'face_match',
  'reused_media',
] as const
export type CheckName = (typeof CHECK_NAMES)[number]

/** What one check found. Holds no personal data, so that it can be kept when the media is erased. */
export interface CheckResult {
  readonly check: CheckName
  readonly outcome: CheckOutcome
  /** Machine-readable, as in `image_blurred`; says why the outcome is no pass. */
  readonly code: string
  /** 0 to 1, higher is better; null where nothing was measured. */
  readonly score: number | null
  /** What was measured and what it was compared with, by name. */
  readonly evidence: Readonly<Record<string, number | string | boolean>>
  /** What measured, with its version; null where nothing ran. */
  readonly model: string | null
}

/** A check that could not run: its engine is not there, or what it needs was not sent. */
export const notRun = (check: CheckName, code: string): CheckResult => ({
  check,
  outcome: 'not_run',
  code,
  score: null,
  evidence: {},
  model: null,
})
