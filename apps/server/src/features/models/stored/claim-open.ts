import type { Tx } from '@vaani/service-kit/database/connect'
import { accountsInTurn } from '@vaani/service-kit/work/accounts-in-turn'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { StoredObjectTable } from '../tables.ts'

export interface OpenClaim {
  /** Claims batches that upstreams were last asked about before then. */
  since: Date
  /** Maximum number of batches to claim. */
  room: number
  /** Accounts of the batches that the process is asking about, one for each. */
  underWay: readonly string[]
  /** The account served last. Ties between accounts go to the next one after it. */
  after: string
}

/** Must match the predicate of the index word for word. */
const IS_OPEN = sql`kind = 'batch' and ended_at is null`

/** Finds the next account with open batches, and when its oldest was asked about, in one index step. */
const nextOldest = (account: RawBuilder<unknown>) => sql`
  (select account_id, asked_at from stored_objects
    where ${IS_OPEN} and account_id > ${account} order by account_id, asked_at limit 1)`

/**
 * Claims the batches that waited longest of the accounts with the fewest under way. The update does not repeat the predicate of
 * the index, so that the planner finds each batch by its key.
 */
export async function claimOpen(
  tx: Tx,
  { now, since, room, underWay, after }: OpenClaim & { now: Date },
): Promise<Selectable<StoredObjectTable>[]> {
  const { rows } = await sql<Selectable<StoredObjectTable>>`
  with recursive ${accountsInTurn({
    // Steps over accounts that were asked about lately, without reading their other batches.
    accountAfter: (account) => sql`
      with recursive oldest as (
        ${nextOldest(account)}
        union all
        select next.* from oldest cross join lateral ${nextOldest(sql`oldest.account_id`)} as next
        where oldest.asked_at >= ${since}
      )
      select account_id from oldest where asked_at < ${since}`,
    rowsOf: (account) => sql`
      select livemode, kind, object_id, asked_at from stored_objects
      where ${IS_OPEN} and account_id = ${account} and asked_at < ${since}
      order by asked_at limit ${room}`,
    order: sql`own.asked_at`,
    underWay: (account) => sql`
      select count(*) from unnest(${underWay}::text[]) as asking (account_id) where asking.account_id = ${account}`,
    after,
    offering: room,
  })},
  chosen as (
    select account_id, livemode, kind, object_id, turn, place from turns order by turn, place limit ${room}
  ),
  claimed as (
    update stored_objects as stored set asked_at = ${now}
    from chosen
    where stored.account_id = chosen.account_id and stored.livemode = chosen.livemode
      and stored.kind = chosen.kind and stored.object_id = chosen.object_id
      and stored.ended_at is null and stored.asked_at < ${since}
    returning stored.*, chosen.turn, chosen.place
  )
  select * from claimed order by turn, place`.execute(tx)
  return rows
}
