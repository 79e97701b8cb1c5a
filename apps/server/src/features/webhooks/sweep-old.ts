import { DELIVERY_STATUSES, type DeliveryStatus } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db } from '@vaani/service-kit/database/connect'
import { firstIdAt } from '@vaani/service-kit/ids'
import { type RawBuilder, sql } from 'kysely'

const DAY_MS = 86_400_000
const DELIVERY_DAYS = 30
/** Longer than any delivery is kept that may be sent again. */
const EVENT_DAYS = 60
const BATCH = 5000
const ACCOUNTS = 1000

/** One range of the primary key, within which ids are ordered by time. */
interface DeliveryGroup {
  account_id: string
  livemode: boolean
  status: DeliveryStatus
}

/** Deletes deliveries that ended and events, each once it is past its time. Ids begin with their time, so they state the age. */
export async function sweepOldWebhooks(database: Db, clock: Clock): Promise<void> {
  const cutoffMs = (days: number) => clock.nowMs() - days * DAY_MS
  await sweepDeliveries(database, firstIdAt('delivery', cutoffMs(DELIVERY_DAYS)))
  await sweepEvents(database, firstIdAt('event', cutoffMs(EVENT_DAYS)))
}

async function sweepDeliveries(database: Db, before: string): Promise<void> {
  let lastAccount: string | undefined = ''
  while (lastAccount !== undefined) {
    const accounts = await listAccounts(database, lastAccount)
    for (const { account_id, livemode, status } of await listDueGroups(database, accounts, before))
      await inBatches(
        database,
        (after) => sql`
          with due as materialized (
            select delivery_id as id, ctid as place from webhook_deliveries
            where account_id = ${account_id} and livemode = ${livemode} and status = ${status}
              and delivery_id > ${after} and delivery_id < ${before}
            order by delivery_id limit ${BATCH}
          ), deleted as (
            delete from webhook_deliveries where ctid = any (array(select place from due))
          )`,
      )
    lastAccount = accounts.at(-1)
  }
}

async function listAccounts(database: Db, after: string): Promise<string[]> {
  const rows = await database
    .selectFrom('accounts')
    .where('account_id', '>', after)
    .select('account_id')
    .orderBy('account_id')
    .limit(ACCOUNTS)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

/** Looks at the oldest delivery of each group. The limit keeps the planner from a join that reads the whole table. */
async function listDueGroups(
  database: Db,
  accounts: readonly string[],
  before: string,
): Promise<DeliveryGroup[]> {
  const { rows } = await byIndex(database, (tx) =>
    sql<DeliveryGroup>`
      select account_id, livemode, status
      from unnest(${accounts}::text[]) as account (account_id)
        cross join (values (false), (true)) as mode (livemode)
        cross join unnest(${DELIVERY_STATUSES}::text[]) as state (status)
        cross join lateral (
          select from webhook_deliveries one
          where one.account_id = account.account_id and one.livemode = mode.livemode and one.status = state.status
            and one.delivery_id < ${before}
          order by one.delivery_id limit 1
        ) due`.execute(tx),
  )
  return rows
}

/** Keeps what is in the outbox, which has no index by event: it is read once for a batch, and only if something is due. */
const sweepEvents = (database: Db, before: string): Promise<void> =>
  inBatches(
    database,
    (after) => sql`
      with due as materialized (
        select event_id as id, ctid as place from events
        where event_id > ${after} and event_id < ${before}
        order by event_id limit ${BATCH}
      ), waiting as materialized (
        select event_id from webhook_outbox where event_id < ${before} and exists (select from due)
      ), deleted as (
        delete from events where ctid = any (array(
          select place from due where not exists (select from waiting where waiting.event_id = due.id)))
      )`,
  )

/** Starts each batch after the last id of the one before, because an index keeps entries of deleted rows until a vacuum. */
async function inBatches(database: Db, deleteAfter: (id: string) => RawBuilder<unknown>): Promise<void> {
  let last: string | null | undefined = ''
  while (typeof last === 'string') {
    const statement = deleteAfter(last)
    const { rows } = await byIndex(database, (tx) =>
      sql<{ last: string | null }>`
        ${statement} select case when count(*) = ${BATCH} then max(id) end as last from due`.execute(tx),
    )
    last = rows[0]?.last
  }
}
