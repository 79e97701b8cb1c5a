/** What happens to verifications that somebody may want to know. */
export const IDENTITY_EVENTS = [
  'verification_submitted',
  'verification_decided',
  'verification_reviewed',
] as const
export type IdentityEvent = (typeof IDENTITY_EVENTS)[number]
