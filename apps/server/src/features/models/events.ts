/** Events about hosted models that are counted and logged. */
export const MODEL_EVENTS = [
  'speech_started',
  'speech_aborted',
  'speech_broken_off',
  'chat_aborted',
  'chat_broken_off',
  'upstream_failed',
  'upstream_resting',
  'upstream_recovered',
] as const
export type ModelEvent = (typeof MODEL_EVENTS)[number]
