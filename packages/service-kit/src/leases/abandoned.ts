import { type RawBuilder, sql } from 'kysely'

/** Versions before the table of leases leased each row by its own column, under ids like this. */
const LEASED_BY_COLUMN = 'worker-%'

/**
 * What `lease_expires_at` holds of a row that is held or postponed here, for versions that know no other lease. After a
 * rollback to one of those, it takes over what died this long ago.
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
 * The workers without a lease that rows of the table name, as a subquery. It reads one row for each worker, however many
 * rows a worker holds, if an index on `worker_id` has `underWay` as its predicate.
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
