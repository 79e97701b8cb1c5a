import { WEBHOOK_RETRY_WINDOW_SECONDS } from '@vaani/contracts'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { firstIdAt } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import { CompiledQuery } from 'kysely'
import { INSERT_PENDING, runIn, SHARED_COLUMNS, wakeLanes } from './delivery/settle/pending-rows.ts'
import { ID_AGE_MS } from './find-deliveries.ts'

/**
 * Moves ended deliveries back to pending, due now, with a fresh schedule, unless their callback URL was erased. `$1` is the
 * time, `$2` the expiry.
 */
const resend = (which: string) => `
  with ended as (
    delete from webhook_deliveries d where ${which} and (d.endpoint_id is not null or d.url is not null) returning d.*
  ), given as (
    select ${SHARED_COLUMNS.replace('resent', 'true as resent')}, case when endpoint_id is null then url end as url,
      attempt_count, 0 as round_attempts, $1::timestamptz as queued_at, null::timestamptz as first_attempt_at,
      $1::timestamptz as next_attempt_at, $2::timestamptz as expires_at, attempts
    from ended
  ), ${INSERT_PENDING}`
const RESEND_ONE = resend(`d.account_id = $3 and d.livemode = $4 and d.status in ('delivered', 'dead')
  and d.delivery_id = $5`)
const RESEND_DEAD = resend(
  `d.account_id = $3 and d.livemode = $4 and d.status = 'dead' and d.delivery_id = any ($5)`,
)
/** Deliveries resent per transaction, which holds the locks of their lanes. */
const BATCH = 1000

const expiryOf = (now: Date): Date => new Date(now.getTime() + WEBHOOK_RETRY_WINDOW_SECONDS * 1000)

/** Sends a delivery again, whatever its status. */
export async function resendOne(
  tx: Tx,
  { accountId, livemode }: Tenant,
  { delivery_id, lane_id }: { delivery_id: string; lane_id: string },
  now: Date,
): Promise<void> {
  await wakeLanes(runIn(tx), [lane_id], now)
  await tx
    .updateTable('webhook_pending')
    .set({
      resent: true,
      round_attempts: 0,
      queued_at: now,
      first_attempt_at: null,
      next_attempt_at: now,
      expires_at: expiryOf(now),
    })
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('delivery_id', '=', delivery_id)
    .execute()
  const values = [now, expiryOf(now), accountId, livemode, delivery_id]
  await tx.executeQuery(CompiledQuery.raw(RESEND_ONE, values))
}

/** When the deliveries were created: at `since` or later, and before `until`. */
export interface CreationRange {
  since: Date
  until?: Date
}

/**
 * Resends all dead deliveries of a tenant that were created within a range, in several transactions. Omits those to deleted endpoints and
 * those that ended because the data of their person was erased.
 *
 * @returns the number of deliveries resent
 */
export async function resendDead(
  database: Db,
  tenant: Tenant,
  range: CreationRange,
  now: Date,
): Promise<number> {
  let count = 0
  let after: string = firstIdAt('delivery', range.since.getTime() - ID_AGE_MS)
  for (;;) {
    const { resent, last } = await byIndex(database, (tx) =>
      resendDeadAfter(tx, tenant, { after, range, now }),
    )
    count += resent
    if (last === undefined) return count
    after = last
  }
}

/** @returns the number of deliveries resent, and the id of the last one examined */
async function resendDeadAfter(
  tx: Tx,
  { accountId, livemode }: Tenant,
  { after, range, now }: { after: string; range: CreationRange; now: Date },
): Promise<{ resent: number; last: string | undefined }> {
  const { since, until } = range
  let query = tx
    .selectFrom('webhook_deliveries as delivery')
    .leftJoin('webhook_endpoints as endpoint', 'endpoint.endpoint_id', 'delivery.endpoint_id')
    .where('delivery.account_id', '=', accountId)
    .where('delivery.livemode', '=', livemode)
    .where('delivery.status', '=', 'dead')
    .where('delivery.dead_reason', '<>', 'erased')
    .where('delivery.delivery_id', '>', after)
    .where('delivery.created_at', '>=', since)
    .where('endpoint.deleted_at', 'is', null)
  // The bound on ids serves the index only.
  if (until !== undefined)
    query = query
      .where('delivery.delivery_id', '<', firstIdAt('delivery', until.getTime()))
      .where('delivery.created_at', '<', until)
  const dead = await query
    .select(['delivery.delivery_id', 'delivery.lane_id'])
    .orderBy('delivery.delivery_id')
    .limit(BATCH)
    .execute()
  if (dead.length === 0) return { resent: 0, last: undefined }
  await wakeLanes(runIn(tx), new Set(dead.map(({ lane_id }) => lane_id)), now)
  const ids = dead.map(({ delivery_id }) => delivery_id)
  const { numAffectedRows } = await tx.executeQuery(
    CompiledQuery.raw(RESEND_DEAD, [now, expiryOf(now), accountId, livemode, ids]),
  )
  // Fewer than `ids` if other requests resent some of them in the meantime.
  return { resent: Number(numAffectedRows ?? 0), last: ids.at(-1) }
}
