/** Events about synthesized files and sessions that are counted and logged. */
export const SYNTHESIS_EVENTS = [
  'synthesis_started',
  'synthesis_aborted',
  'session_started',
  'session_ended',
] as const
export type SynthesisEvent = (typeof SYNTHESIS_EVENTS)[number]
