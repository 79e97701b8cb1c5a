/** Events about hosted models that are counted and logged. */
export const MODEL_EVENTS = ['speech_started', 'speech_aborted'] as const
export type ModelEvent = (typeof MODEL_EVENTS)[number]
