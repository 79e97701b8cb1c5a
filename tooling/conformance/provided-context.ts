import 'vitest'
import type { ReplayAddress } from './replay.ts'

declare module 'vitest' {
  /** What the global set-up hands to test files, read with `inject`. */
  interface ProvidedContext {
    replayAddress: ReplayAddress
  }
}
