/** Events about voices that are counted and logged. */
export const VOICE_EVENTS = ['voice_cloned', 'voice_erased'] as const
export type VoiceEvent = (typeof VOICE_EVENTS)[number]
