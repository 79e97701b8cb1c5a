/** Events about accounts and keys that are counted and logged. */
export const ADMIN_EVENTS = ['account_created', 'key_created', 'key_revoked'] as const
export type AdminEvent = (typeof ADMIN_EVENTS)[number]
