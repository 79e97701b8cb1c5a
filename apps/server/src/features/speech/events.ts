/** Events about streams that are counted and logged. */
export const SPEECH_EVENTS = ['stream_started', 'stream_aborted'] as const
export type SpeechEvent = (typeof SPEECH_EVENTS)[number]
