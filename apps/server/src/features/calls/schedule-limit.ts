import { LIMITS } from '@vaani/contracts'
import type { Queryable } from '@vaani/service-kit/database/transaction'
import type { Tenant } from '@vaani/service-kit/tenant'

const TAKE_TURN = 'select pg_advisory_xact_lock(hashtextextended($1, 1))'
const COUNT = `
  select count(*)::integer as waiting from calls
  where account_id = $1 and livemode = $2 and status = 'queued' and scheduled_at is not null and dial_started_at is null`

/** Whether one more call may be scheduled. A lock per account and mode makes the limit exact. */
export async function hasRoomInSchedule(
  client: Queryable,
  { accountId, livemode }: Tenant,
): Promise<boolean> {
  await client.query({
    name: 'calls.lock-schedule',
    text: TAKE_TURN,
    values: [`${accountId} ${livemode}`],
  })
  return (await countScheduled(client, { accountId, livemode })) < LIMITS.scheduledCallsPerAccount
}

/** Counts calls that wait for their time. */
export async function countScheduled(client: Queryable, { accountId, livemode }: Tenant): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>({
    name: 'calls.count-scheduled',
    text: COUNT,
    values: [accountId, livemode],
  })
  return rows[0]?.waiting ?? 0
}
