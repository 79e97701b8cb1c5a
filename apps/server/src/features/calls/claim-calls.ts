import type { Tx } from '@vaani/service-kit/database/connect'
import { EARLIER_VERSIONS_WAIT, isLeased } from '@vaani/service-kit/leases/abandoned'
import { accountsInTurn } from '@vaani/service-kit/work/accounts-in-turn'
import { type RawBuilder, sql } from 'kysely'
import type { CallRow } from './view.ts'

export interface CallClaim {
  workerId: string
  /** Places that are free at the worker. */
  free: number
  /** Accounts of the calls that the worker carries, one for each. */
  carried: readonly string[]
  /** The account served last. Ties between accounts go to the next one after it. */
  after: string
}

/** Calls claimed at once. Few, because those of a process that dies before it dials them end as interrupted. */
const MAX_CALLS = 10
/** Calls noted as due at once. */
const MAX_DUE = 1000

/** Must match the predicates of the indexes word for word. */
const IS_QUEUED = sql`status = 'queued' and dial_started_at is null`
const IS_TO_COME = sql`${IS_QUEUED} and waiting_since is null`
const IS_WAITING = sql`${IS_QUEUED} and waiting_since is not null`
const DUE_AT = sql`coalesce(scheduled_at, created_at)`

/** Finds out whether a call waits or is due, in two index steps. */
export const findDue = (now: Date) => sql`
  (select from calls where ${IS_WAITING} order by account_id limit 1)
  union all
  (select from calls where ${IS_TO_COME} and ${DUE_AT} <= ${now} order by ${DUE_AT} limit 1)`

/**
 * Claims the calls that have waited longest of the accounts that hold the fewest places at the worker. The last free place is
 * kept for an account that holds none, so that a burst leaves it to others.
 */
export async function claimCalls(tx: Tx, claim: CallClaim, now: Date): Promise<CallRow[]> {
  await noteDue(now).execute(tx)
  const { rows } = await claimInTurn(claim, now).execute(tx)
  return rows
}

/** Lets calls wait whose time has come. Only their accounts take turns, however many others have calls that are scheduled. */
export const noteDue = (now: Date) => sql`
  with due as materialized (
    select call_id from calls where ${IS_TO_COME} and ${DUE_AT} <= ${now}
    order by ${DUE_AT} limit ${MAX_DUE}
  )
  update calls set waiting_since = ${DUE_AT} from due where calls.call_id = due.call_id`

/** The update does not repeat the predicates of indexes, so that the planner finds each call by its key. */
export function claimInTurn({ workerId, free, carried, after }: CallClaim, now: Date): RawBuilder<CallRow> {
  const room = Math.min(free, MAX_CALLS)
  return sql<CallRow>`
  with recursive ${accountsInTurn({
    accountAfter: (account) => sql`
      select account_id from calls where ${IS_WAITING} and account_id > ${account} order by account_id limit 1`,
    rowsOf: (account) => sql`
      select call_id, waiting_since from calls where ${IS_WAITING} and account_id = ${account}
      order by waiting_since limit ${room}`,
    order: sql`own.waiting_since`,
    underWay: (account) => sql`
      select count(*) from unnest(${carried}::text[]) as carried (account_id) where carried.account_id = ${account}`,
    after,
    offering: room,
  })},
  chosen as (
    select call_id, turn, place from (
      select call_id, turn, place, row_number() over (order by turn, place) as rank
      from turns order by turn, place limit ${room}
    ) as first
    where rank < ${free} or turn = 1
  ),
  claimed as (
    update calls
    set dial_started_at = ${now}, worker_id = ${workerId}, lease_expires_at = ${EARLIER_VERSIONS_WAIT}
    from chosen
    where calls.call_id = chosen.call_id and status = 'queued' and worker_id is null and ${isLeased(workerId)}
    returning calls.*
  )
  select claimed.* from claimed join chosen using (call_id) order by chosen.turn, chosen.place`
}
