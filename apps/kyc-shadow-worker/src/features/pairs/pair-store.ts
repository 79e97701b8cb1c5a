import { PAIR_KINDS, PAIR_OUTCOMES, SEVERITIES } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db } from '@vaani/service-kit/database/connect'
import { firstIdAt } from '@vaani/service-kit/ids'
import { type Backlog, MOST_COUNTED } from '@vaani/service-kit/database/read-backlog'
import { type RawBuilder, sql } from 'kysely'
import type { PairFilter } from './port.ts'
import type { PairRow } from './tables.ts'

/** Reads pairs. Nothing here changes one but its acknowledgement and its age. */
export interface PairStore {
  list(filter: PairFilter): Promise<PairRow[]>
  find(pairId: string): Promise<PairRow | undefined>
  acknowledge(pairId: string, note: string): Promise<PairRow | undefined>
  /** Counted up to 10,000. */
  countWaiting(): Promise<number>
  /** Deletes pairs that ended before `cutoffMs`. */
  deleteOld(cutoffMs: number): Promise<void>
}

const DELETED_ROWS = 500

export function createPairStore({ database, clock }: { database: Db; clock: Clock }): PairStore {
  return {
    async list(filter) {
      const { rows } = await byIndex(database, (tx) => listQuery(filter).execute(tx))
      return rows
    },
    find: (pairId) =>
      database.selectFrom('pairs').where('pair_id', '=', pairId).selectAll().executeTakeFirst(),
    acknowledge: (pairId, note) =>
      database
        .updateTable('pairs')
        .set({ acknowledged_at: new Date(clock.nowMs()), note })
        .where('pair_id', '=', pairId)
        .where('severity', 'is not', null)
        .where('acknowledged_at', 'is', null)
        .returningAll()
        .executeTakeFirst(),
    async countWaiting() {
      const { rows } = await byIndex(database, (tx) => backlog(null).execute(tx))
      return rows[0]?.waiting ?? 0
    },
    async deleteOld(cutoffMs) {
      let after = ''
      for (let found = DELETED_ROWS; found === DELETED_ROWS;) {
        // Ids begin with the time of the submission, so the primary key finds the candidates.
        const pairs = await byIndex(database, (tx) =>
          tx
            .selectFrom('pairs')
            .where('pair_id', '>', after)
            .where('pair_id', '<', firstIdAt('pair', cutoffMs))
            .select('pair_id')
            .orderBy('pair_id')
            .limit(DELETED_ROWS)
            .execute(),
        )
        const ids = pairs.map(({ pair_id }) => pair_id)
        if (ids.length > 0)
          await database
            .deleteFrom('pairs')
            .where('pair_id', 'in', ids)
            .where('ended_at', '<', new Date(cutoffMs))
            .execute()
        found = pairs.length
        after = ids.at(-1) ?? after
      }
    },
  }
}

/** Counts pairs in the order of the index `pairs_due`, which has every pair that is not over. */
export const backlog = (dueBefore: Date | null) => sql<Backlog>`
  select count(*)::integer as waiting, min(next_at) as oldest
  from (
    select next_at from pairs
    where next_at is not null and next_at <= ${dueBefore ?? new Date(8.64e15)}
    order by next_at limit ${MOST_COUNTED}
  ) due`

const textsOf = (values: readonly string[]) => sql`unnest(${[...values]}::text[])`

/** As the indexes of lists have it. Ids are ASCII, so this is their order in any collation. */
const INDEXED_ID = sql`pair_id collate "C"`

/**
 * Reads the newest pairs of each combination of values that the filter leaves open, and merges them: however rare those wanted are,
 * no other row is read.
 */
export function listQuery({
  limit,
  cursor,
  outcome,
  severity,
  kind,
  isOpen,
}: PairFilter): RawBuilder<PairRow> {
  const before = (id: RawBuilder<unknown>) => (cursor === undefined ? sql`` : sql`and ${id} < ${cursor}`)
  if (outcome === undefined && severity === undefined && kind === undefined && isOpen !== true)
    return sql<PairRow>`select * from pairs where true ${before(sql`pair_id`)} order by pair_id desc limit ${limit}`
  const hasSeverity = severity !== undefined || isOpen === true
  const severities = severity === undefined ? SEVERITIES : [severity]
  const open = isOpen === true ? sql`and acknowledged_at is null` : sql``
  const ofSeverity = hasSeverity ? sql`and severity is not null and severity = of_severity ${open}` : sql``
  return sql<PairRow>`
    select newest.* from ${textsOf(outcome === undefined ? PAIR_OUTCOMES : [outcome])} of_outcome
    cross join ${textsOf(kind === undefined ? PAIR_KINDS : [kind])} of_kind
    cross join ${textsOf(hasSeverity ? severities : ['any'])} of_severity
    cross join lateral (
      select * from pairs
      where outcome = of_outcome and kind = of_kind ${ofSeverity} ${before(INDEXED_ID)}
      order by ${INDEXED_ID} desc limit ${limit}
    ) newest
    order by newest.pair_id desc limit ${limit}`
}
