import { type RawBuilder, sql } from 'kysely'

/** Pattern of worker ids of versions before the `leases` table, which leased each row in a column of its own. */
const LEASED_BY_COLUMN = 'worker-%'

/**
 * Value of `lease_expires_at` in rows claimed by this version, for versions that know no other lease. After a rollback to one
 * of those, it takes over rows whose worker died this long ago.
 */
export const EARLIER_VERSIONS_WAIT = sql<Date>`now() + interval '1 hour'`

/** Whether a worker holds its lease. */
export const isLeased = (workerId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from leases where leases.worker_id = ${workerId})`

/** Whether a row of the table names a worker that is gone. */
export const isAbandoned = (table: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<boolean>`(
    ${column('worker_id')} is not null
    and not exists (select from leases where leases.worker_id = ${column('worker_id')})
    and (${column('worker_id')} not like ${sql.lit(LEASED_BY_COLUMN)} or ${column('lease_expires_at')} < now()))`
}

/**
 * Makes a subquery of the workers that rows of the table name but that have no lease. It reads one row per worker, however many
 * rows a worker holds, if an index on `worker_id` has the predicate `underWay`.
 */
export const workersWithoutLease = (
  table: string,
  underWay: RawBuilder<unknown>,
): RawBuilder<string> => sql<string>`(
  with recursive holder (worker_id) as (
    (select worker_id from ${sql.table(table)} where ${underWay} order by worker_id limit 1)
    union all
    select (
      select worker_id from ${sql.table(table)}
      where ${underWay} and worker_id > holder.worker_id order by worker_id limit 1)
    from holder where holder.worker_id is not null
  )
  select worker_id from holder
  where worker_id is not null and not exists (select from leases where leases.worker_id = holder.worker_id))`
