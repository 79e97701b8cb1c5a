import type { CallerIdStore } from './caller-id-store.ts'

/** What the admin feature offers to the other features. */
export interface AdminPort {
  callerIds: CallerIdStore
  /** The key created at this start, to be shown once; null if none was. */
  firstKey: string | null
}
