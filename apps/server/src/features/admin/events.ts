/** What happens to accounts and keys that somebody may want to know. */
export const ADMIN_EVENTS = ['account_created', 'key_created', 'key_revoked'] as const
export type AdminEvent = (typeof ADMIN_EVENTS)[number]
