/** What happens to streams that somebody may want to know. */
export const SPEECH_EVENTS = ['stream_started', 'stream_aborted'] as const
export type SpeechEvent = (typeof SPEECH_EVENTS)[number]
