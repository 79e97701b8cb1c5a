import type { Id } from '@vaani/contracts'
import type { Generated } from 'kysely'

export interface RefusedRequestTable {
  refusal_id: Id<'refusal'>
  account_id: Id<'account'>
  livemode: boolean
  request_id: string
  key_id: Id<'key'>
  operation: string
  method: string
  /** Template of the path. */
  route: string
  status: number
  code: string
  /** Only names of fields of the route. */
  param: string | null
  duration_ms: number
  /** Refused requests that followed in the same minute and were not kept. */
  omitted: Generated<number>
  created_at: Date
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    refused_requests: RefusedRequestTable
  }
}
