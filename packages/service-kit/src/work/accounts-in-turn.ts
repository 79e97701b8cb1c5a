import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/connect.ts'

/** Accounts that one claim considers. The others come first in a later claim, because each starts after the last account. */
const MAX_ACCOUNTS = 64
/** A claim takes milliseconds. One whose process is frozen in the middle must not hold up the others for longer. */
const FROZEN_MS = 2000

/**
 * A claim reads few rows, each by an index, but statistics of what waits are often outdated. By them, the planner might read all
 * rows instead.
 */
const PLANNER = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']

/**
 * Runs a claim while no other process makes the same kind of claim, so that each sees the previous one.
 *
 * @param kind of rows, such as `calls`
 */
export const claimAlone = <Result>(
  database: Db,
  kind: string,
  claim: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  database.transaction().execute(async (tx) => {
    await sql`
      select pg_advisory_xact_lock(hashtextextended(${`claim of ${kind}`}, 0)),
        set_config('idle_in_transaction_session_timeout', ${String(FROZEN_MS)}, true),
        (select count(set_config(name, 'off', true)) from unnest(${PLANNER}::text[]) as setting (name))`.execute(
      tx,
    )
    return claim(tx)
  })

/** Rows of accounts that wait, and how to find those of each account by an index. */
export interface WaitingRows {
  /**
   * Finds the first account after one that has waiting rows: `select account_id … where account_id > … order by account_id limit
   * 1`, which is one index step, however many rows wait.
   */
  accountAfter(account: RawBuilder<unknown>): RawBuilder<unknown>
  /** Selects the waiting rows of an account in their order. It must limit itself to the room of the claim. */
  rowsOf(account: RawBuilder<unknown>): RawBuilder<unknown>
  /** That order, by columns of `own`. */
  order: RawBuilder<unknown>
  /** Counts the rows of an account that are under way; zero by default. */
  underWay?(account: RawBuilder<unknown>): RawBuilder<unknown>
  /** The account served last. The next one comes first. */
  after: string
  /**
   * How many accounts offer rows; all by default. Those with the fewest under way come first, so if every waiting row may be
   * claimed, the room of the claim suffices.
   */
  offering?: number
}

/**
 * Makes common table expressions that let accounts take turns, for `with recursive`. The last, `turns`, has the columns that
 * `rowsOf` selects and
 *
 * - `turn`: how many rows its account would have under way with this one. Claim in the order of `turn, place` to be fair.
 * - `place` of its account in the round
 * - `account_id`
 *
 * A claim reads about as many rows as it finds, however many wait.
 */
export function accountsInTurn({
  accountAfter,
  rowsOf,
  order,
  underWay,
  after,
  offering = MAX_ACCOUNTS,
}: WaitingRows): RawBuilder<unknown> {
  // `offset 0` keeps the planner from repeating the steps wherever their result is used.
  const nextAccount = (account: RawBuilder<unknown>) => sql`
    (select coalesce((${accountAfter(account)}), (${accountAfter(sql`''`)})) as account_id offset 0)`
  const count = underWay?.(sql`round.account_id`) ?? sql`0`
  return sql`
    round (place, account_id, first) as (
      select 1, account_id, account_id from ${nextAccount(sql`${after}::text`)} as start
      where account_id is not null
      union all
      select place + 1, next.account_id, first
      from round cross join lateral ${nextAccount(sql`round.account_id`)} as next
      where place < ${MAX_ACCOUNTS} and next.account_id <> first
    ),
    offers as (
      select round.account_id, round.place, busy.count
      from round cross join lateral (select (${count}) as count offset 0) as busy
      order by busy.count, round.place limit ${offering}
    ),
    turns as (
      select own.*, offers.place, offers.account_id,
        offers.count + row_number() over (partition by offers.place order by ${order}) as turn
      from offers cross join lateral (${rowsOf(sql`offers.account_id`)}) as own
    )`
}
