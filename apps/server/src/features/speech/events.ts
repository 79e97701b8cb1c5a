/** Events about streams and engines that are counted and logged. */
export const SPEECH_EVENTS = [
  'stream_started',
  'stream_aborted',
  'engine_failed',
  'engine_resting',
  'engine_recovered',
] as const
export type SpeechEvent = (typeof SPEECH_EVENTS)[number]
