import type {
  DeadReason,
  DeliveryAttempt,
  DeliveryStatus,
  WebhookDelivery,
  WebhookEventType,
} from '@vaani/contracts'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db } from '@vaani/service-kit/database/connect'
import { firstIdAt } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type RawBuilder, sql } from 'kysely'

/** A delivery, whichever table it is in. */
export interface DeliveryRow {
  delivery_id: string
  event_id: string
  event_type: WebhookEventType
  object_id: string
  endpoint_id: string | null
  lane_id: string
  livemode: boolean
  /** Destination of the next attempt, or of the last one if the delivery has ended; null if it was erased. */
  url: string | null
  status: DeliveryStatus
  dead_reason: DeadReason | null
  resent: boolean
  attempt_count: number
  attempts: DeliveryAttempt[]
  next_attempt_at: Date | null
  created_at: Date
  /** Whether its endpoint was deleted. */
  is_orphan: boolean
}

export interface DeliveryFilter {
  delivery_id?: string | undefined
  /** Id of the last delivery of the previous page; newest come first. */
  cursor?: string | undefined
  status?: DeliveryStatus | undefined
  endpoint_id?: string | undefined
  event_id?: string | undefined
  event_type?: WebhookEventType | undefined
  object_id?: string | undefined
  created_after?: string | undefined
  created_before?: string | undefined
}

/** How much older than the `created_at` of its row an id may be. */
export const ID_AGE_MS = 1000

/**
 * Builds conditions that let a single index return rows in id order: the index by object, endpoint, type or account. If
 * another index than the account's is meant, the account is compared as an expression, so that the planner cannot choose its
 * index. No index has the deliveries of an event, which are few of those of its object. The bounds on ids also serve the index only; the conditions on times decide.
 */
function conditionsOf({ accountId, livemode }: Tenant, filter: DeliveryFilter): RawBuilder<unknown> {
  const { delivery_id, cursor, endpoint_id, event_id, event_type, object_id, created_after, created_before } =
    filter
  const isOfObject = object_id !== undefined || event_id !== undefined
  const isOfType = event_type !== undefined && !isOfObject && endpoint_id === undefined
  const isOfAccount = !isOfObject && endpoint_id === undefined && event_type === undefined
  const conditions = [
    sql`livemode = ${livemode}`,
    isOfAccount ? sql`account_id = ${accountId}` : sql`concat(account_id) = ${accountId}`,
    isOfType && sql`account_id || ' ' || event_type = ${`${accountId} ${event_type}`}`,
    delivery_id !== undefined && sql`delivery_id = ${delivery_id}`,
    object_id !== undefined && sql`object_id = ${object_id}`,
    event_id !== undefined &&
      sql`object_id = (select object_id from events where event_id = ${event_id}) and event_id = ${event_id}`,
    endpoint_id !== undefined &&
      (isOfObject ? sql`concat(endpoint_id) = ${endpoint_id}` : sql`endpoint_id = ${endpoint_id}`),
    event_type !== undefined && sql`event_type = ${event_type}`,
    cursor !== undefined && sql`delivery_id < ${cursor}`,
    created_after !== undefined &&
      sql`delivery_id >= ${firstIdAt('delivery', Date.parse(created_after) - ID_AGE_MS)}
        and created_at >= ${new Date(created_after)}`,
    created_before !== undefined &&
      sql`delivery_id < ${firstIdAt('delivery', Date.parse(created_before))}
        and created_at < ${new Date(created_before)}`,
  ].filter((condition) => condition !== false)
  return sql.join(conditions, sql` and `)
}

const COLUMNS = sql`delivery_id, event_id, event_type, object_id, endpoint_id, lane_id, livemode, url, resent,
  attempt_count, attempts, created_at`
const ENDED = sql`${COLUMNS}, status, dead_reason, null::timestamptz as next_attempt_at`
const SOURCES = {
  pending: sql`select ${COLUMNS}, 'pending' as status, null as dead_reason, next_attempt_at from webhook_pending where true`,
  delivered: sql`select ${ENDED} from webhook_deliveries where status = 'delivered'`,
  dead: sql`select ${ENDED} from webhook_deliveries where status = 'dead'`,
} satisfies Record<DeliveryStatus, RawBuilder<unknown>>

/** Lists a page of a tenant's deliveries. */
export const listDeliveries = (
  database: Db,
  tenant: Tenant,
  filter: DeliveryFilter & { limit: number },
): Promise<DeliveryRow[]> => byIndex(database, (tx) => findDeliveries(tx, tenant, filter))

/**
 * Finds deliveries of a tenant, newest first. Reads each status separately, up to the limit, so that an index returns its rows
 * in order and no status is read further than needed. `limit 1` on the endpoint prevents a join that reads all endpoints.
 */
export async function findDeliveries(
  database: Db,
  tenant: Tenant,
  { limit, ...filter }: DeliveryFilter & { limit: number },
): Promise<DeliveryRow[]> {
  const where = conditionsOf(tenant, filter)
  const order = sql`order by delivery_id desc limit ${limit}`
  const sources = filter.status === undefined ? Object.values(SOURCES) : [SOURCES[filter.status]]
  const branches = sources.map((source) => sql`(${source} and ${where} ${order})`)
  const { rows } = await sql<DeliveryRow>`
    select found.*, coalesce(found.url, endpoint.url) as url, endpoint.deleted_at is not null as is_orphan
    from (select * from (${sql.join(branches, sql` union all `)}) apart ${order}) found
      left join lateral (
        select url, deleted_at from webhook_endpoints where endpoint_id = found.endpoint_id limit 1
      ) endpoint on true
    order by found.delivery_id desc`.execute(database)
  return rows
}

/** Returns the body of an event; null once it is erased. */
export async function findEventBody(database: Db, eventId: string): Promise<string | null> {
  const event = await database
    .selectFrom('events')
    .select('body')
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return event?.body ?? null
}

export const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  delivery_id: row.delivery_id,
  event_id: row.event_id,
  event_type: row.event_type,
  endpoint_id: row.endpoint_id,
  url: row.url,
  object_id: row.object_id,
  livemode: row.livemode,
  status: row.status,
  dead_reason: row.dead_reason,
  resent: row.resent,
  attempt_count: row.attempt_count,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
