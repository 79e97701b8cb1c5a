import type { CheckName } from '../check.ts'
import { ALL_BUT_VISAS, type AcceptedDocuments } from './check-accepted.ts'

/**
 * Weight of a check in the decision.
 *
 * - `required`: must pass for an approval, so a check that did not run prevents it.
 * - `supporting`: must not fail or warn, but need not run.
 * - `ignored`: is reported but does not affect the decision, except as one of a group.
 */
export type CheckWeight = 'required' | 'supporting' | 'ignored'

/** Maps checks to a decision. Plain data, stored by name and reported with each decision. */
export interface Policy {
  readonly name: string
  readonly weights: Readonly<Record<CheckName, CheckWeight>>
  /** Groups of which at least one check must pass for an approval, besides what the weights demand. */
  readonly anyOf: readonly (readonly CheckName[])[]
  /** What `document_accepted` checks. */
  readonly accepts: AcceptedDocuments
  /** Checks whose failure declines; any other failure leads to a review. */
  readonly declineOn: readonly CheckName[]
  /** How many people must agree to decide a review. */
  readonly reviewers: number
  /** How long after a submission its review is due; null if it never is. Nothing but what reviewers see depends on it. */
  readonly reviewWithinHours: number | null
}

/**
 * The policy if none is set. It requires liveness, which no built-in check can prove, so the best decision is a review
 * unless the operator adds a liveness engine or uses a policy without liveness.
 */
export const DEFAULT_POLICY: Policy = {
  name: 'default',
  weights: {
    document_quality: 'required',
    document_recapture: 'required',
    document_sides: 'supporting',
    mrz_checks: 'supporting',
    printed_fields: 'supporting',
    barcode: 'supporting',
    document_template: 'ignored',
    document_expiry: 'required',
    video_integrity: 'required',
    video_motion: 'required',
    face_presence: 'required',
    liveness: 'required',
    face_match: 'required',
    reused_media: 'supporting',
    document_accepted: 'supporting',
  },
  // A licence has a barcode instead of a machine-readable zone.
  anyOf: [['barcode', 'mrz_checks']],
  accepts: ALL_BUT_VISAS,
  declineOn: ['document_expiry'],
  reviewers: 1,
  reviewWithinHours: null,
}

/** Approves on the document and a moving video alone, for sandboxes and low stakes: it never checks who is in the video. */
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

/**
 * Approves a person whose face in a moving video matches a valid document, without proof that the video is not a replay: `liveness` counts only if
 * an engine ran. Needs an engine of faces.
 */
export const DOCUMENT_AND_FACE_POLICY: Policy = {
  ...DEFAULT_POLICY,
  name: 'document-and-face',
  weights: {
    ...DEFAULT_POLICY.weights,
    document_quality: 'ignored',
    liveness: 'supporting',
  },
}

export const POLICIES: Readonly<Record<string, Policy>> = {
  [DEFAULT_POLICY.name]: DEFAULT_POLICY,
  [DOCUMENT_ONLY_POLICY.name]: DOCUMENT_ONLY_POLICY,
  [DOCUMENT_AND_FACE_POLICY.name]: DOCUMENT_AND_FACE_POLICY,
}
