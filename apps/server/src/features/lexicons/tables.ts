import type { Id } from '@vaani/contracts'
import type { Json } from '@vaani/service-kit/database/connect'
import type { LexiconEntry } from '@vaani/speech'

export interface LexiconTable {
  account_id: Id<'account'>
  livemode: boolean
  /** Canonical BCP-47. */
  language: string
  /** Digest of the entries. */
  version: string
  entries: Json<LexiconEntry[]>
  entry_count: number
  updated_at: Date
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    lexicons: LexiconTable
  }
}
