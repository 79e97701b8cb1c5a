/** Events about alerts that are counted and logged. */
export const ALERT_EVENTS = [
  'shadow_mismatch',
  'shadow_condition_broken',
  'shadow_changed',
  'shadow_alert_failed',
] as const
export type AlertEvent = (typeof ALERT_EVENTS)[number]
