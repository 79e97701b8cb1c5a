import type { IdKind } from '@vaani/contracts'
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { firstIdAt } from '../ids.ts'
import type { Db } from './connect.ts'

const DAY_MS = 86_400_000
/** How far ahead partitions are created. Rows of a month without a partition go to the default partition. */
const MONTHS_AHEAD = 2
/** Limit on how long a partition change waits for earlier statements, because later statements wait for it meanwhile. */
const LOCK_TIMEOUT_MS = 100
const TRIES = 5
const LOCK_NOT_AVAILABLE = '55P03'
const BATCH = 5000

/**
 * A table partitioned by the month of its rows' ids, which begin with their time. Each partition is named after its month
 * (`events_2026_11`), except `events_default`, which takes the rows of all other months.
 */
export interface MonthlyTable {
  table: string
  /** The id column that the table is partitioned by. */
  column: string
  kind: IdKind
}

export interface Retention {
  /** A month is dropped when its last row is this old, so its first row is kept for a month longer. */
  days: number
  /** Makes a query that returns a row while rows below the id are still needed. */
  neededBelow?: (id: string) => RawBuilder<unknown>
}

/** Months since the year 0, in UTC. */
type Month = number

const monthAt = (timeMs: number): Month => {
  const date = new Date(timeMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
const startMsOf = (month: Month): number => Date.UTC(Math.floor(month / 12), month % 12)

/** @example partitionName('events', monthAt(Date.UTC(2026, 10, 22))) // events_2026_11 */
function partitionName(table: string, month: Month): string {
  const [year, ofYear] = new Date(startMsOf(month)).toISOString().split('-')
  return `${table}_${year}_${ofYear}`
}

function monthOf(table: string, partition: string): Month | null {
  const [, year, ofYear] = /^_(\d{4})_(\d{2})$/u.exec(partition.slice(table.length)) ?? []
  return year === undefined ? null : Number(year) * 12 + Number(ofYear) - 1
}

async function listMonths(database: QueryExecutorProvider, table: string): Promise<Month[]> {
  const { rows } = await sql<{ name: string }>`
    select partition.relname as name
    from pg_inherits join pg_class partition on partition.oid = inhrelid
    where inhparent = to_regclass(${table})`.execute(database)
  return rows.flatMap(({ name }) => monthOf(table, name) ?? [])
}

/**
 * Attaches `former`, a table with the same columns and indexes, as the first partition of a table without partitions, and
 * creates the partitions of the coming months. Must run in the transaction of a migration.
 */
export async function beginMonths(
  tx: QueryExecutorProvider,
  monthly: MonthlyTable,
  { former, nowMs }: { former: string; nowMs: number },
): Promise<void> {
  const { table, column, kind } = monthly
  const { rows } = await sql<{ newest: string | null }>`
    select max(${sql.ref(column)}) as newest from ${sql.table(former)}`.execute(tx)
  const newest = rows[0]?.newest ?? ''
  let month = monthAt(nowMs)
  while (firstIdAt(kind, startMsOf(month + 1)) <= newest) month++
  const name = partitionName(table, month)
  await sql`alter table ${sql.table(former)} rename to ${sql.ref(name)}`.execute(tx)
  await sql`
    alter table ${sql.table(table)} attach partition ${sql.table(name)}
    for values from (minvalue) to (${sql.lit(firstIdAt(kind, startMsOf(month + 1)))})`.execute(tx)
  await sql`
    create table ${sql.table(`${table}_default`)} partition of ${sql.table(table)} default`.execute(tx)
  for (const later of monthsAhead(nowMs))
    if (later > month) {
      const partition = sql.table(partitionName(table, later))
      const [from, to] = [later, later + 1].map((each) => sql.lit(startIdOf(monthly, each)))
      await sql`
        create table ${partition} (like ${sql.table(table)} including all);
        alter table ${sql.table(table)} attach partition ${partition} for values from (${from}) to (${to})`.execute(
        tx,
      )
    }
}

/** Creates partitions ahead of time, drops expired ones, and deletes expired rows from the default partition. */
export async function sweepMonths(
  database: Db,
  clock: Clock,
  monthly: MonthlyTable,
  { days, neededBelow }: Retention,
): Promise<void> {
  const { table, kind } = monthly
  const nowMs = clock.nowMs()
  const isNeeded = async (tx: QueryExecutorProvider, id: string): Promise<boolean> =>
    neededBelow !== undefined && (await neededBelow(id).execute(tx)).rows.length > 0

  const known = await listMonths(database, table)
  for (const month of monthsAhead(nowMs))
    if (!known.includes(month))
      await changeMonths(database, table, async (tx, months) => {
        if (months.every((other) => other < month) && (await hasNoRows(tx, monthly, month)))
          await sql`select attach_month(${table}, ${partitionName(table, month)}, ${startIdOf(monthly, month)}, ${startIdOf(monthly, month + 1)})`.execute(
            tx,
          )
      })
  for (const month of known.filter((each) => startMsOf(each + 1) + days * DAY_MS <= nowMs))
    await changeMonths(database, table, async (tx, months) => {
      if (months.includes(month) && !(await isNeeded(tx, firstIdAt(kind, startMsOf(month + 1)))))
        await sql`select drop_month(${table}, ${partitionName(table, month)})`.execute(tx)
    })
  const before = firstIdAt(kind, nowMs - days * DAY_MS)
  const { rows: due } = await sql`
    select from ${sql.table(`${table}_default`)} where ${sql.ref(monthly.column)} < ${before} limit 1`.execute(
    database,
  )
  // Check only if rows are due, because the check searches everything that may still need them.
  if (due.length > 0 && !(await isNeeded(database, before))) await sweepDefault(database, monthly, before)
}

const monthsAhead = (nowMs: number): Month[] =>
  Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthAt(nowMs) + ahead)

const startIdOf = ({ kind }: MonthlyTable, month: Month): string => firstIdAt(kind, startMsOf(month))

/** Whether the partition of a month can be created, because the default one has no rows of it. */
async function hasNoRows(tx: QueryExecutorProvider, monthly: MonthlyTable, month: Month): Promise<boolean> {
  const { table, column } = monthly
  const { rows } = await sql`
    select from ${sql.table(`${table}_default`)}
    where ${sql.ref(column)} >= ${startIdOf(monthly, month)} and ${sql.ref(column)} < ${startIdOf(monthly, month + 1)}
    limit 1`.execute(tx)
  return rows.length === 0
}

/**
 * Creates the functions that change partitions with the rights of their owner, who owns the tables, so that servers need no right to
 * change the schema. They change months of partitioned tables only, and only roles that are granted them may call them. Must run in a
 * migration.
 */
export async function createMonthFunctions(tx: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(tx)
  // Without our schema, because whoever may create there could put functions and operators in place of those of Postgres.
  const header = sql`returns void language plpgsql security definer set search_path = pg_catalog, pg_temp`
  const schema = sql.lit(rows[0]?.schema ?? 'public')
  const check = sql`
    if substr(month, length(of_table) + 1) !~ '^_\\d{4}_\\d{2}$' or not starts_with(month, of_table)
      or not exists (
        select from pg_partitioned_table where partrelid = to_regclass(format('%I.%I', ${schema}, of_table))
      ) then
      raise exception '% is no month of %', month, of_table using errcode = 'insufficient_privilege';
    end if`
  // The table is created separately, then attached, because creating it as a partition would lock the whole table.
  await sql`
    create function attach_month(of_table text, month text, from_id text, to_id text) ${header} as $$
    begin
      ${check};
      execute format('create table %1$I.%2$I (like %1$I.%3$I including all)', ${schema}, month, of_table);
      execute format('alter table %1$I.%2$I attach partition %1$I.%3$I for values from (%4$L) to (%5$L)',
        ${schema}, of_table, month, from_id, to_id);
    end $$;
    create function drop_month(of_table text, month text) ${header} as $$
    begin
      ${check};
      execute format('drop table %I.%I', ${schema}, month);
    end $$;
    revoke all on function attach_month(text, text, text, text), drop_month(text, text) from public`.execute(
    tx,
  )
}

/** Changes the partitions of a table, one process at a time. Gives up instead of blocking other statements for long. */
async function changeMonths(
  database: Db,
  table: string,
  change: (tx: QueryExecutorProvider, months: Month[]) => Promise<void>,
): Promise<void> {
  for (let triesLeft = TRIES - 1; ; triesLeft--)
    try {
      return await database.transaction().execute(async (tx) => {
        await sql`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`.execute(tx)
        await sql`select pg_advisory_xact_lock(hashtextextended(${`months of ${table}`}, 0))`.execute(tx)
        await change(tx, await listMonths(tx, table))
      })
    } catch (error) {
      const isLocked = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
      if (!isLocked || triesLeft === 0) throw error
    }
}

async function sweepDefault(database: Db, { table, column }: MonthlyTable, before: string): Promise<void> {
  const name = sql.table(`${table}_default`)
  for (let deleted = BATCH; deleted === BATCH;) {
    const { numAffectedRows } = await sql`
      delete from ${name} where ctid = any (array(
        select ctid from ${name} where ${sql.ref(column)} < ${before} limit ${BATCH}))`.execute(database)
    deleted = Number(numAffectedRows ?? 0)
  }
}
