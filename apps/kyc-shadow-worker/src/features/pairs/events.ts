/** Events about pairs that are counted and logged. */
export const PAIR_EVENTS = [
  'pair_started',
  'pair_sent',
  'pair_ended',
  'pair_entry_damaged',
  'pair_stored',
] as const
export type PairEvent = (typeof PAIR_EVENTS)[number]
