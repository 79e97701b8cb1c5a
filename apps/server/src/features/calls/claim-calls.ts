import type { Tx } from '@vaani/service-kit/database/connect'
import { EARLIER_VERSIONS_WAIT, isLeased } from '@vaani/service-kit/leases/abandoned'
import { accountsInTurn } from '@vaani/service-kit/work/accounts-in-turn'
import { type RawBuilder, sql } from 'kysely'
import type { LineLimit } from './carriers/line-limits.ts'
import type { CallRow } from './view.ts'

export interface CallClaim {
  workerId: string
  /** Places that are free at the worker. */
  free: number
  /** Accounts of the calls that the worker carries, one for each. */
  carried: readonly string[]
  /** The account served last. Ties between accounts go to the next one after it. */
  after: string
  /** Lines that take no more than so many of the calls. */
  rooms?: readonly LineRoom[]
}

export interface LineRoom {
  carrier: string
  room: number
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
export async function claimCalls(
  tx: Tx,
  claim: CallClaim,
  { now, limits }: { now: Date; limits: readonly LineLimit[] },
): Promise<CallRow[]> {
  await noteDue(now).execute(tx)
  const rooms = limits.length === 0 ? [] : (await findRooms(limits).execute(tx)).rows
  const { rows } = await claimInTurn({ ...claim, rooms }, now).execute(tx)
  return rows
}

/**
 * Finds how many calls each line takes: its free channels, and no more calls that wait for their turn to be dialled than it dials in a
 * second. Exact, because claims of all workers are made one after the other.
 */
export const findRooms = (limits: readonly LineLimit[]) => sql<LineRoom>`
  select line.carrier, greatest(0, least(line.channels - held.count, line.rate - held.undialled))::integer as room
  from unnest(
    ${limits.map(({ carrier }) => carrier)}::text[],
    ${limits.map(({ channels }) => channels)}::integer[],
    ${limits.map(({ callsPerSecond }) => callsPerSecond)}::integer[]
  ) as line (carrier, channels, rate)
  cross join lateral (
    select count(*) as count, count(*) filter (where line_admitted_at is null) as undialled
    from calls where ended_at is null and dial_started_at is not null and calls.carrier = line.carrier
  ) as held`

/** How to find waiting calls: those of each account, or, if lines have limits, those of each line and account. */
interface Waiting {
  tables: RawBuilder<unknown>
  accountAfter(account: RawBuilder<unknown>): RawBuilder<unknown>
  rowsOf(account: RawBuilder<unknown>): RawBuilder<unknown>
  turns: RawBuilder<unknown>
}

const waitingOfAll = (room: number): Waiting => ({
  tables: sql``,
  accountAfter: (account) => sql`
    select account_id from calls where ${IS_WAITING} and account_id > ${account} order by account_id limit 1`,
  rowsOf: (account) => sql`
    select call_id, waiting_since from calls where ${IS_WAITING} and account_id = ${account}
    order by waiting_since limit ${room}`,
  turns: sql`turns`,
})

/** Calls of a full line are not read, so that they hold up no others. Lines without a limit take all calls. */
const waitingOfOpenLines = (room: number, rooms: readonly LineRoom[]): Waiting => ({
  tables: sql`
    line (carrier) as (
      (select carrier from calls where ${IS_WAITING} order by carrier limit 1)
      union all
      select (select calls.carrier from calls where ${IS_WAITING} and calls.carrier > line.carrier order by calls.carrier limit 1)
      from line where line.carrier is not null
    ),
    open_line as materialized (
      select line.carrier, coalesce(limited.room, ${room}) as room
      from line left join unnest(
        ${rooms.map(({ carrier }) => carrier)}::text[], ${rooms.map(({ room: free }) => free)}::integer[]
      ) as limited (carrier, room) on limited.carrier = line.carrier
      where line.carrier is not null and coalesce(limited.room, 1) > 0
    ),`,
  accountAfter: (account) => sql`
    select min(next_of_line.account_id) from open_line cross join lateral (
      select calls.account_id from calls
      where ${IS_WAITING} and calls.carrier = open_line.carrier and calls.account_id > ${account}
      order by calls.account_id limit 1
    ) as next_of_line`,
  rowsOf: (account) => sql`
    select of_line.* from open_line cross join lateral (
      select call_id, waiting_since, calls.carrier from calls
      where ${IS_WAITING} and calls.carrier = open_line.carrier and calls.account_id = ${account}
      order by waiting_since limit least(open_line.room, ${room})
    ) as of_line order by waiting_since limit ${room}`,
  turns: sql`(
    select ranked.* from (
      select *, row_number() over (partition by carrier order by turn, place) as place_on_line from turns
    ) as ranked join open_line using (carrier) where place_on_line <= open_line.room
  ) as turns`,
})

/** Lets calls wait whose time has come. Only their accounts take turns, however many others have calls that are scheduled. */
export const noteDue = (now: Date) => sql`
  with due as materialized (
    select call_id from calls where ${IS_TO_COME} and ${DUE_AT} <= ${now}
    order by ${DUE_AT} limit ${MAX_DUE}
  )
  update calls set waiting_since = ${DUE_AT} from due where calls.call_id = due.call_id`

/** The update does not repeat the predicates of indexes, so that the planner finds each call by its key. */
export function claimInTurn(
  { workerId, free, carried, after, rooms = [] }: CallClaim,
  now: Date,
): RawBuilder<CallRow> {
  const room = Math.min(free, MAX_CALLS)
  const waiting = rooms.length === 0 ? waitingOfAll(room) : waitingOfOpenLines(room, rooms)
  return sql<CallRow>`
  with recursive ${waiting.tables} ${accountsInTurn({
    ...waiting,
    order: sql`own.waiting_since`,
    underWay: (account) => sql`
      select count(*) from unnest(${carried}::text[]) as carried (account_id) where carried.account_id = ${account}`,
    after,
    offering: room,
  })},
  chosen as (
    select call_id, turn, place from (
      select call_id, turn, place, row_number() over (order by turn, place) as rank
      from ${waiting.turns} order by turn, place limit ${room}
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
