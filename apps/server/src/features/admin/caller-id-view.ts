import type { callerIdSchema } from '@vaani/contracts'
import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { CallerIdTable } from './tables.ts'

type CallerId = z.output<typeof callerIdSchema>

export const toCallerId = (row: Selectable<CallerIdTable>): CallerId => ({
  caller_id_id: row.caller_id_id,
  account_id: row.account_id,
  livemode: row.livemode,
  phone_number: row.phone_number,
  verified_at: row.verified_at.toISOString(),
})
