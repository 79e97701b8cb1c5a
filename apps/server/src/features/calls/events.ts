/** Events about calls that are counted and logged. */
export const CALL_EVENTS = [
  'call_placed',
  'call_dialled',
  'call_rerouted',
  'call_received',
  'call_turned_away',
  'call_given_back',
  'call_answered',
  'call_ended',
  'call_canceled',
  'call_interrupted',
  'recording_lost',
  'recording_erased',
] as const
export type CallEvent = (typeof CALL_EVENTS)[number]
