/** Events about caller ids that are counted and logged. */
export const CALLER_ID_EVENTS = [
  'caller_id_call_started',
  'caller_id_call_ended',
  'caller_id_code_refused',
  'caller_id_verified',
  'caller_id_removed',
] as const
export type CallerIdEvent = (typeof CALLER_ID_EVENTS)[number]
