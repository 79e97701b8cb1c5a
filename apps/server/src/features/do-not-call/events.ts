/** Events about do-not-call lists that are counted and logged. */
export const DO_NOT_CALL_EVENTS = ['number_listed', 'number_unlisted', 'numbers_imported'] as const
export type DoNotCallEvent = (typeof DO_NOT_CALL_EVENTS)[number]
