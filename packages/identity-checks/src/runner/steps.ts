import type { CheckName } from '../check.ts'

/**
 * Parts into which the checks of a verification are split, in their order. Each is a job of its own, so one that takes too
 * long costs no other check.
 */
export const STEPS = {
  document_quality: ['document_quality'],
  document_recapture: ['document_recapture'],
  mrz_checks: ['mrz_checks'],
  barcode: ['barcode'],
  document_expiry: ['document_expiry'],
  printed_fields: ['printed_fields'],
  video_motion: ['video_motion'],
  faces: ['face_presence', 'face_match'],
  liveness: ['liveness'],
} as const satisfies Record<string, readonly CheckName[]>
export type StepName = keyof typeof STEPS

export const STEP_NAMES = Object.keys(STEPS) as StepName[]

/** Steps that later ones need, even if their own results are known already. */
export const FINDING_STEPS: ReadonlySet<StepName> = new Set(['mrz_checks', 'barcode'])
