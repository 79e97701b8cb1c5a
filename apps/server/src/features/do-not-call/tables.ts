import type { Id, ListedNumberSource } from '@vaani/contracts'

export interface ListedNumberTable {
  listed_number_id: Id<'listed_number'>
  /** Null, like the mode, on the list of the server. */
  account_id: Id<'account'> | null
  livemode: boolean | null
  phone_number: string
  reason: string | null
  source: ListedNumberSource
  created_at: Date
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    do_not_call: ListedNumberTable
  }
}
