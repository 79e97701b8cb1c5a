import { LIMITS } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db } from '@vaani/service-kit/database/connect'
import { firstIdAt } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { RefusedRequestTable } from './tables.ts'

export type RefusalRow = Selectable<RefusedRequestTable>

export interface RefusalFilter {
  request_id?: string | undefined
  key_id?: string | undefined
  code?: string | undefined
  operation?: string | undefined
  status?: number | undefined
}

/** Refused requests with one code for one route. */
export interface RefusalGroup extends Pick<
  RefusalRow,
  'code' | 'status' | 'operation' | 'method' | 'route' | 'request_id'
> {
  count: number
  omitted: number
  first_at: Date
  last_at: Date
}

export interface RefusalStore {
  /** Writes rows, or how many were omitted after them, in one statement. Those of accounts that are gone are dropped. */
  write(rows: readonly RefusalRow[]): Promise<void>
  /** Returns one row more than the limit if there are more. */
  list(
    tenant: Tenant,
    query: RefusalFilter & { limit: number; cursor: string | undefined },
  ): Promise<RefusalRow[]>
  /** Groups the newest refusals since a time, at most so many, the most frequent group first. */
  count(tenant: Tenant, options: { sinceMs: number; limit: number }): Promise<RefusalGroup[]>
  /** Deletes what has reached its retention. */
  sweep(): Promise<void>
}

const DAY_MS = 86_400_000
const SWEEP_ROWS = 1000
const TEXTS = sql`text[]`
/** The most selective first: its index returns the rows in their order, and the other filters apply to its entries. */
const FILTERS = ['request_id', 'key_id', 'code', 'operation', 'status'] as const
const TYPES = {
  request_id: TEXTS,
  key_id: TEXTS,
  code: TEXTS,
  operation: TEXTS,
  status: sql`smallint[]`,
} satisfies Record<keyof RefusalFilter, RawBuilder<unknown>>

export function createRefusalStore({ database, clock }: { database: Db; clock: Clock }): RefusalStore {
  return {
    write: (rows) => write(database, rows),
    list: (tenant, query) => byIndex(database, (tx) => list(tx, tenant, query)),
    count: (tenant, options) => byIndex(database, (tx) => count(tx, tenant, options)),
    async sweep() {
      const before = new Date(clock.nowMs() - LIMITS.refusalDays * DAY_MS)
      // Deletes by an array, because a join might read the whole table.
      const remove = sql`
        delete from refused_requests where ctid = any (array(
          select ctid from refused_requests where created_at < ${before} order by created_at limit ${SWEEP_ROWS}))`
      while ((await remove.execute(database)).numAffectedRows === BigInt(SWEEP_ROWS));
    },
  }
}

async function write(database: Db, rows: readonly RefusalRow[]): Promise<void> {
  const column = <Value>(read: (row: RefusalRow) => Value): Value[] => rows.map(read)
  await sql`
    insert into refused_requests (refusal_id, account_id, livemode, request_id, key_id, operation, method, route, status, code,
      param, duration_ms, omitted, created_at)
    select added.* from unnest(
      ${column((row) => row.refusal_id)}::text[],
      ${column((row) => row.account_id)}::text[],
      ${column((row) => row.livemode)}::boolean[],
      ${column((row) => row.request_id)}::text[],
      ${column((row) => row.key_id)}::text[],
      ${column((row) => row.operation)}::text[],
      ${column((row) => row.method)}::text[],
      ${column((row) => row.route)}::text[],
      ${column((row) => row.status)}::smallint[],
      ${column((row) => row.code)}::text[],
      ${column((row) => row.param)}::text[],
      ${column((row) => row.duration_ms)}::integer[],
      ${column((row) => row.omitted)}::integer[],
      ${column((row) => row.created_at)}::timestamptz[]
    ) as added (refusal_id, account_id)
    where exists (select from accounts where accounts.account_id = added.account_id)
    on conflict (account_id, livemode, refusal_id) do update set omitted = excluded.omitted`.execute(database)
}

async function list(
  database: Db,
  { accountId, livemode }: Tenant,
  { limit, cursor, ...filter }: RefusalFilter & { limit: number; cursor: string | undefined },
): Promise<RefusalRow[]> {
  const [first, ...others] = FILTERS.filter((name) => filter[name] !== undefined)
  const conditions = [
    sql`account_id = ${accountId} and livemode = ${livemode}`,
    // As an array, so that the planner keeps the column in the order, which only its index provides.
    first !== undefined && sql`${sql.ref(first)} = any(${[filter[first]]}::${TYPES[first]})`,
    ...others.map((name) => sql`${sql.ref(name)} = ${filter[name]}`),
    cursor !== undefined && sql`refusal_id < ${cursor}`,
  ].filter((condition) => condition !== false)
  const { rows } = await sql<RefusalRow>`
    select * from refused_requests
    where ${sql.join(conditions, sql` and `)}
    order by ${first === undefined ? sql`` : sql`${sql.ref(first)}, `} refusal_id desc
    limit ${limit + 1}`.execute(database)
  return rows
}

async function count(
  database: Db,
  { accountId, livemode }: Tenant,
  { sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<RefusalGroup[]> {
  const { rows } = await sql<RefusalGroup>`
    select code, status, operation, method, route, count(*)::integer as count, sum(omitted)::integer as omitted,
      min(created_at) as first_at, max(created_at) as last_at,
      (array_agg(request_id order by refusal_id desc))[1] as request_id
    from (
      select * from refused_requests
      where account_id = ${accountId} and livemode = ${livemode} and refusal_id >= ${firstIdAt('refusal', sinceMs)}
      order by refusal_id desc limit ${limit}
    ) newest
    group by code, status, operation, method, route
    order by count desc, last_at desc`.execute(database)
  return rows
}
