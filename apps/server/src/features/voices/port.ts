import type { VoiceReader } from './voice-reader.ts'

export { createVoiceReader, type VoiceReader } from './voice-reader.ts'

/** What the voices feature offers to the other features. */
export interface VoicesPort extends VoiceReader {
  /** Removes what crashes have left. */
  sweep(): Promise<void>
}
