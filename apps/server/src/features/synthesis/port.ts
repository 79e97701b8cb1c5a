import type { RenderPool } from '@vaani/speech/synthesis'

/** What the synthesis feature offers to the other features. */
export interface SynthesisPort {
  /** Threads that encode audio. */
  renderers: RenderPool
}
