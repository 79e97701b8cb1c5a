import type { Place } from './image/place.ts'

/** Outcomes of a check. `not_run` is no evidence for anything. */
export const CHECK_OUTCOMES = ['passed', 'warning', 'failed', 'not_run'] as const
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number]

/** All checks. A policy gives each of them its weight in a decision. */
export const CHECK_NAMES = [
  'document_quality',
  'document_recapture',
  'document_sides',
  'mrz_checks',
  'printed_fields',
  'barcode',
  'document_template',
  'document_expiry',
  'video_integrity',
  'video_motion',
  'face_presence',
  'liveness',
  'face_match',
  'reused_media',
  'document_accepted',
] as const
export type CheckName = (typeof CHECK_NAMES)[number]

/** Result of one check. Contains no personal data, so that it can be kept when the media is erased. */
export interface CheckResult {
  readonly check: CheckName
  readonly outcome: CheckOutcome
  /** Machine-readable reason for the outcome, as in `image_blurred`. */
  readonly code: string
  /** 0 to 1, higher is better; null if nothing was measured. */
  readonly score: number | null
  /** Measured values and their limits, by name. */
  readonly evidence: Readonly<Record<string, number | string | boolean>>
  /** Where it found what it judged; missing if it judges no place. */
  readonly places?: readonly Place[]
  /** Model that measured, with its version; null if nothing ran. */
  readonly model: string | null
}

/** Creates the result of a check that could not run because its engine or its input is missing. */
export const notRun = (check: CheckName, code: string): CheckResult => ({
  check,
  outcome: 'not_run',
  code,
  score: null,
  evidence: {},
  model: null,
})

/** Creates the result of a check that goes to a person, because whoever sends media must not choose that it does not run. */
export const unsure = (check: CheckName, code: string): CheckResult => ({
  ...notRun(check, code),
  outcome: 'warning',
})

/** Returns a measurement as a score: 0 to 1, to three decimals. Returns null if it is not a finite number. */
export const toScore = (measured: unknown): number | null =>
  typeof measured === 'number' && Number.isFinite(measured)
    ? Math.round(Math.min(1, Math.max(0, measured)) * 1000) / 1000
    : null

/** Outcomes from the worst on. A picture that was not checked is worse than one that passed, because it is no evidence. */
const WORST_FIRST: readonly CheckOutcome[] = ['failed', 'warning', 'not_run', 'passed']

/** Returns the worse of the results of one check on two pictures. */
export function worseResult(one: CheckResult, other: CheckResult): CheckResult {
  const difference = WORST_FIRST.indexOf(one.outcome) - WORST_FIRST.indexOf(other.outcome)
  return (difference || (one.score ?? 0) - (other.score ?? 0)) <= 0 ? one : other
}
