import type { EventOf, TransitionTable } from '../shared/state-machine.ts'

export const VERIFICATION_STATUSES = ['pending', 'approved', 'review', 'declined'] as const
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number]

/** Approved and declined are final. A review ends by a person's decision. */
export const VERIFICATION_TRANSITIONS = {
  pending: { accepted: 'approved', rejected: 'declined', check_needed: 'review' },
  review: { accepted: 'approved', rejected: 'declined' },
  approved: {},
  declined: {},
} as const satisfies TransitionTable<VerificationStatus>
export type VerificationEventName = EventOf<typeof VERIFICATION_TRANSITIONS>
