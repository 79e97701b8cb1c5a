import type { Actor, EventOf, TransitionTable } from '../shared/state-machine.ts'

export const VERIFICATION_STATUSES = ['pending', 'approved', 'review', 'declined'] as const
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number]

/**
 * Approved and declined are final. Checks decide a pending verification, and only a person decides a review. Their events
 * have separate names, so neither can take the other's step.
 */
export const VERIFICATION_TRANSITIONS = {
  pending: { accepted: 'approved', rejected: 'declined', check_needed: 'review' },
  review: { review_approved: 'approved', review_declined: 'declined' },
  approved: {},
  declined: {},
} as const satisfies TransitionTable<VerificationStatus>
export type VerificationEventName = EventOf<typeof VERIFICATION_TRANSITIONS>

/** Actor that may cause each event of a verification. */
export const VERIFICATION_EVENT_ACTORS = {
  accepted: 'holder',
  rejected: 'holder',
  check_needed: 'holder',
  review_approved: 'person',
  review_declined: 'person',
} as const satisfies Record<VerificationEventName, Actor>
