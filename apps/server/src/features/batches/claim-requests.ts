import { setImmediate } from 'node:timers/promises'
import { BATCH_ENDPOINTS, type BatchEndpoint, type Id, type RateOverrides, type Tier } from '@vaani/contracts'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { isLeased, workersWithoutLease } from '@vaani/service-kit/leases/abandoned'
import { accountsInTurn } from '@vaani/service-kit/work/accounts-in-turn'
import { sql } from 'kysely'

/** A claimed request, with what it needs of its batch and account. */
export interface ClaimedRequest {
  batch_id: string
  position: number
  request: Buffer
  attempts: number
  account_id: Id<'account'>
  livemode: boolean
  key_id: Id<'key'>
  data_key: Buffer
  tier: Tier
  rate_overrides: RateOverrides
}

export interface RequestsClaim {
  workerId: string
  endpoint: BatchEndpoint
  /** Requests to the endpoint that the worker makes. The claim first releases any others that it holds. */
  making: readonly Pick<ClaimedRequest, 'batch_id' | 'position'>[]
  /** Maximum number of requests to claim. Fewer are claimed if they are large. */
  room: number
  /** The account served last. The next one comes first. */
  after: string
}

/** A claim takes no more requests once they have this many bytes. */
const MAX_CLAIMED_BYTES = 8_388_608

/** These must match the predicates of the indexes word for word. */
const IS_OPEN = sql`status in ('queued', 'running') and received_at is not null`
const IS_WAITING = sql`worker_id is null and ended_sequence is null`
const IS_HELD = sql`worker_id is not null`

/** Returns a function that reads whether an endpoint has open batches. Callers of the same moment share one read of all endpoints. */
export function openEndpoints(database: Db): (endpoint: BatchEndpoint) => Promise<boolean> {
  let next: Promise<ReadonlySet<string>> | undefined

  async function readSoon(): Promise<ReadonlySet<string>> {
    await setImmediate()
    // Whoever asks from now on may know of a batch that this read does not see.
    next = undefined
    const { rows } = await sql<{ endpoint: string }>`
      select endpoint from unnest(${BATCH_ENDPOINTS}::text[]) as asked (endpoint)
      cross join lateral (
        select from batches where ${IS_OPEN} and batches.endpoint = asked.endpoint limit 1) as open`.execute(
      database,
    )
    return new Set(rows.map((row) => row.endpoint))
  }
  return async (endpoint) => (await (next ??= readSoon())).has(endpoint)
}

/**
 * Claims requests of the account's batches in the order in which these were created, live ones first, and one of each account
 * in turn.
 */
export async function claimRequests(tx: Tx, claim: RequestsClaim): Promise<ClaimedRequest[]> {
  await releaseAbandoned(claim).execute(tx)
  const { rows } = await claimInTurn(claim).execute(tx)
  return rows
}

/** Releases requests of workers that are gone, and those that this worker holds unknowingly because a reply was lost. */
const releaseAbandoned = ({
  workerId,
  endpoint,
  making,
}: Pick<RequestsClaim, 'workerId' | 'endpoint' | 'making'>) => sql`
  update batch_requests set worker_id = null
  where worker_id in (select ${workerId}::text union all ${workersWithoutLease('batch_requests', IS_HELD)})
    and (worker_id <> ${workerId} or (
      (batch_id, position) not in (
        select * from unnest(
          ${making.map(({ batch_id }) => batch_id)}::text[], ${making.map(({ position }) => position)}::integer[]))
      and exists (
        select from batches where batches.batch_id = batch_requests.batch_id and batches.endpoint = ${endpoint})))`

/** The update repeats only a part of an index predicate, so that the planner finds each row by its key. */
const claimInTurn = ({
  workerId,
  endpoint,
  room,
  after,
}: Omit<RequestsClaim, 'making'>) => sql<ClaimedRequest>`
  with recursive ${accountsInTurn({
    accountAfter: (account) => sql`
      select account_id from batches
      where ${IS_OPEN} and endpoint = ${endpoint} and account_id > ${account} order by account_id limit 1`,
    rowsOf: (account) => sql`
      select batches.livemode, request.batch_id, request.position, request.bytes
      from batches cross join lateral (
        select batch_id, position, octet_length(request) as bytes from batch_requests
        where batch_id = batches.batch_id and ${IS_WAITING} and not_before <= now()
        order by position limit ${room}
      ) as request
      where ${IS_OPEN} and endpoint = ${endpoint} and account_id = ${account}
      order by batches.livemode desc, batches.batch_id
      limit ${room}`,
    order: sql`own.livemode desc, own.batch_id, own.position`,
    after,
  })},
  chosen as (
    select batch_id, position, turn, place from (
      select *, sum(bytes) over (order by turn, place rows between unbounded preceding and 1 preceding) as before
      from turns order by turn, place limit ${room}
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
