import type { CallerIdStore } from './caller-id-store.ts'

/** What other features use of accounts. */
export interface AdminPort {
  callerIds: CallerIdStore
  /** The key that was made at this start, to be shown once. */
  firstKey: string | null
}
