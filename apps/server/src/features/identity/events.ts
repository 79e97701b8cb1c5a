/** Events about verifications that are counted and logged. */
export const IDENTITY_EVENTS = [
  'verification_submitted',
  'verification_decided',
  'verification_reviewed',
  'media_looked_at',
  'person_erased',
] as const
export type IdentityEvent = (typeof IDENTITY_EVENTS)[number]
