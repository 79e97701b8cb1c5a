import type { Id } from '@vaani/contracts'
import type { Tx } from '@vaani/service-kit/database/connect'
import type { CallerIdStore } from './caller-id-store.ts'
import type { NewAccount } from './create-account-rows.ts'

/** What the admin feature offers to the other features. */
export interface AdminPort {
  callerIds: CallerIdStore
  /** The key created at this start, to be shown once; null if none was. */
  firstKey: string | null
  /** Writes an account that is no operator, and returns its id. */
  createAccount(tx: Tx, account: Pick<NewAccount, 'name' | 'tier'>): Promise<Id<'account'>>
}
