import type { Id } from '@vaani/contracts'

/** The request that speech with this payload was made for. */
export interface WatermarkTable {
  /** 0 to 2^32 - 1. */
  payload: number
  account_id: Id<'account'>
  livemode: boolean
  request_id: string
  created_at: Date
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    watermarks: WatermarkTable
  }
}
