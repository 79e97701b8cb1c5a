import type { CheckName } from '../check.ts'

/**
 * What a check means for the decision.
 *
 * - `required`: nothing but a pass approves, so one that did not run does not.
 * - `supporting`: must not fail or warn; may be left out.
 * - `ignored`: is told, and decides nothing.
 */
export type CheckWeight = 'required' | 'supporting' | 'ignored'

/** How checks become a decision: plain data, kept by name and told with each decision. */
export interface Policy {
  readonly name: string
  readonly weights: Readonly<Record<CheckName, CheckWeight>>
  /** Checks whose failure declines; any other failure asks for a person's review. */
  readonly declineOn: readonly CheckName[]
}

/**
 * The policy where none is set. Liveness is required and none of the embedded checks can prove it, so the best decision
 * is a review, unless an operator adds a liveness engine or a policy that does without.
 */
export const DEFAULT_POLICY: Policy = {
  name: 'default',
  weights: {
    document_quality: 'required',
    document_recapture: 'required',
    mrz_checks: 'required',
    printed_fields: 'supporting',
    barcode: 'supporting',
    document_expiry: 'required',
    video_integrity: 'required',
    video_motion: 'required',
    face_presence: 'required',
    liveness: 'required',
    face_match: 'required',
    reused_media: 'supporting',
  },
  declineOn: ['document_expiry'],
}

/** Approves on documents and a moving video alone: for sandboxes and low stakes, as it never asks who is in the video. */
export const DOCUMENT_ONLY_POLICY: Policy = {
  ...DEFAULT_POLICY,
  name: 'document-only',
  weights: {
    ...DEFAULT_POLICY.weights,
    face_presence: 'ignored',
    liveness: 'ignored',
    face_match: 'supporting',
  },
}

export const POLICIES: Readonly<Record<string, Policy>> = {
  [DEFAULT_POLICY.name]: DEFAULT_POLICY,
  [DOCUMENT_ONLY_POLICY.name]: DOCUMENT_ONLY_POLICY,
}
