import type { SpeechEngine } from '@vaani/speech'

/** What the speech feature offers to the other features. */
export interface SpeechPort {
  /** Null if no engine is installed. */
  engine: SpeechEngine | null
  /** @throws ApiError `service_unavailable` if no engine is installed */
  requireEngine(): SpeechEngine
}
