import type { CheckName } from '../check.ts'

/**
 * Steps of a verification in order, with their checks. Each step is a separate job, so one that takes too long does not
 * affect other checks.
 */
export const STEPS = {
  document_recapture: ['document_recapture'],
  document_sides: ['document_sides'],
  mrz_checks: ['mrz_checks'],
  document_quality: ['document_quality'],
  barcode: ['barcode'],
  document_template: ['document_template'],
  document_expiry: ['document_expiry'],
  printed_fields: ['printed_fields'],
  video_motion: ['video_motion'],
  faces: ['face_presence', 'face_match'],
  liveness: ['liveness'],
} as const satisfies Record<string, readonly CheckName[]>
export type StepName = keyof typeof STEPS

export const STEP_NAMES = Object.keys(STEPS) as StepName[]

/** Steps that run even if their own results are known, because their findings are needed. */
export const FINDING_STEPS: ReadonlySet<StepName> = new Set([
  'document_sides',
  'mrz_checks',
  'barcode',
  'document_template',
  'printed_fields',
])
