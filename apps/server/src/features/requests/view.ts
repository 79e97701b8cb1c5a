import type { RefusedRequest } from '@vaani/contracts'
import type { RefusalRow } from './store.ts'

export const toRefusedRequest = ({ account_id: _, created_at, ...row }: RefusalRow): RefusedRequest => ({
  ...row,
  created_at: created_at.toISOString(),
})
