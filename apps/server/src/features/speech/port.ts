import type { SpeechEngine } from '@vaani/speech'

/** What other features use of speech. */
export interface SpeechPort {
  /** Null if none is installed. */
  engine: SpeechEngine | null
  /** @throws ApiError `service_unavailable` if no engine is installed */
  requireEngine(): SpeechEngine
}
