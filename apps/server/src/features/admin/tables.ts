import type { CallerIdSource, Id } from '@vaani/contracts'

export interface CallerIdTable {
  caller_id_id: string
  account_id: Id<'account'>
  livemode: boolean
  phone_number: string
  source: CallerIdSource
  verified_at: Date
  removed_at: Date | null
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    caller_ids: CallerIdTable
  }
}
