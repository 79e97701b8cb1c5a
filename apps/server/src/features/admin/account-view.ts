import type { Account } from '@vaani/contracts'
import type { AccountRow } from '../../tenancy/account-rows.ts'

/** Converts a row to the API's form for one mode. Each mode has its own call webhook. */
export const toAccount = ({ test_call_webhook_url, ...row }: AccountRow, livemode: boolean): Account => ({
  ...row,
  call_webhook_url: livemode ? row.call_webhook_url : test_call_webhook_url,
  created_at: row.created_at.toISOString(),
})
