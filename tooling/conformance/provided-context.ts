import 'vitest'
import type { ReplayAddress } from './replay.ts'

declare module 'vitest' {
  /** Values that the global set-up provides to test files through `inject`. */
  interface ProvidedContext {
    replayAddress: ReplayAddress
  }
}
