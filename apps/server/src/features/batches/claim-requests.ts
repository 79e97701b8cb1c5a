import type { BatchEndpoint, RateOverrides, Tier } from '@vaani/contracts'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { isLeased, workersWithoutLease } from '@vaani/service-kit/leases/abandoned'
import { type RawBuilder, sql } from 'kysely'

/** A claimed request, with what it needs of its batch and account. */
export interface ClaimedRequest {
  batch_id: string
  position: number
  request: Buffer
  attempts: number
  account_id: string
  livemode: boolean
  key_id: string
  data_key: Buffer
  tier: Tier
  rate_overrides: RateOverrides
}

export interface ClaimRequest {
  workerId: string
  endpoint: BatchEndpoint
  /** Requests to any endpoint that the worker makes. The claim first releases any others that it holds. */
  making: readonly Pick<ClaimedRequest, 'batch_id' | 'position'>[]
  /** Maximum number of requests to claim. Fewer are claimed if they are large. */
  room: number
  /** The account served last. The next one comes first. */
  after: string
}

/** Accounts that one claim considers. The others come first in a later claim, because each starts after the last account. */
const MAX_ACCOUNTS = 64

/** A claim takes no more requests once they have this many bytes. */
const MAX_CLAIMED_BYTES = 8_388_608

/** These must match the predicates of the indexes word for word. */
const IS_OPEN = sql`status in ('queued', 'running') and received_at is not null`
const IS_WAITING = sql`worker_id is null and ended_sequence is null`
const IS_HELD = sql`worker_id is not null`

/** Lists the endpoints that have open batches. */
export async function openEndpoints(
  database: Db,
  endpoints: readonly BatchEndpoint[],
): Promise<BatchEndpoint[]> {
  const { rows } = await sql<{ endpoint: BatchEndpoint }>`
    select endpoint from unnest(${endpoints}::text[]) as asked (endpoint)
    where exists (select from batches where batches.endpoint = asked.endpoint and ${IS_OPEN})`.execute(
    database,
  )
  return rows.map(({ endpoint }) => endpoint)
}

/**
 * Claims requests of the account's batches in the order in which these were created, live ones first, and one of each account
 * in turn. A lock serializes claims, so that each sees the previous one.
 */
export async function claimRequests(tx: Tx, claim: ClaimRequest): Promise<ClaimedRequest[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('claim of batch requests', 0))`.execute(tx)
  await releaseAbandoned(claim).execute(tx)
  const { rows } = await claimInTurn(claim).execute(tx)
  return rows
}

/** Releases requests of workers that are gone, and those that this worker holds unknowingly because a reply was lost. */
const releaseAbandoned = ({ workerId, making }: Pick<ClaimRequest, 'workerId' | 'making'>) => sql`
  update batch_requests set worker_id = null
  where worker_id in (select ${workerId}::text union all ${workersWithoutLease('batch_requests', IS_HELD)})
    and (worker_id <> ${workerId} or (batch_id, position) not in (
      select * from unnest(
        ${making.map(({ batch_id }) => batch_id)}::text[], ${making.map(({ position }) => position)}::integer[])))`

/** Finds the next account with open batches, in one index step, however many it has. */
const accountAfter = (endpoint: BatchEndpoint, account: RawBuilder<unknown>) => sql`(
  select account_id from batches
  where ${IS_OPEN} and endpoint = ${endpoint} and account_id > ${account} order by account_id limit 1)`

/** Like `accountAfter`, but wraps around after the last account. */
const nextAccount = (endpoint: BatchEndpoint, account: RawBuilder<unknown>) =>
  sql`coalesce(${accountAfter(endpoint, account)}, ${accountAfter(endpoint, sql`''`)})`

/**
 * Reads about as many rows as it claims, however many requests wait. The update repeats only a part of an index predicate, so
 * that the planner finds each row by its key.
 */
export const claimInTurn = ({
  workerId,
  endpoint,
  room,
  after,
}: Pick<ClaimRequest, 'workerId' | 'endpoint' | 'room' | 'after'>) => sql<ClaimedRequest>`
  with recursive round (place, account_id, first) as (
    select 1, account_id, account_id from (select ${nextAccount(endpoint, sql`${after}::text`)} as account_id) as start
    where account_id is not null
    union all
    select place + 1, next.account_id, first
    from round cross join lateral (select ${nextAccount(endpoint, sql`round.account_id`)} as account_id) as next
    where place < ${MAX_ACCOUNTS} and next.account_id <> first
  ),
  waiting as (
    select own.batch_id, own.position, own.bytes, round.place,
      row_number() over (partition by round.place order by own.livemode desc, own.batch_id, own.position) as turn
    from round cross join lateral (
      select batches.livemode, request.batch_id, request.position, request.bytes
      from batches cross join lateral (
        select batch_id, position, octet_length(request) as bytes from batch_requests
        where batch_id = batches.batch_id and ${IS_WAITING} and not_before <= now()
        order by position limit ${room}
      ) as request
      where ${IS_OPEN} and endpoint = ${endpoint} and account_id = round.account_id
      order by batches.livemode desc, batches.batch_id
      limit ${room}
    ) as own
  ),
  chosen as (
    select batch_id, position, turn, place from (
      select *, sum(bytes) over (order by turn, place rows between unbounded preceding and 1 preceding) as before
      from waiting order by turn, place limit ${room}
    ) as first
    where coalesce(before, 0) < ${MAX_CLAIMED_BYTES}
  ),
  claimed as (
    update batch_requests set worker_id = ${workerId}, attempts = attempts + 1
    from chosen
    where batch_requests.batch_id = chosen.batch_id and batch_requests.position = chosen.position
      and ended_sequence is null and ${isLeased(workerId)}
    returning batch_requests.*, chosen.turn, chosen.place
  ),
  started as (
    update batches set status = 'running'
    where status = 'queued' and batch_id in (select batch_id from claimed)
  )
  select claimed.batch_id, claimed.position, claimed.request, claimed.attempts,
    account_id, batches.livemode, key_id, data_key, tier, rate_overrides
  from claimed join batches using (batch_id) join accounts using (account_id)
  order by claimed.turn, claimed.place`
