import type { ConcurrencyLimitName } from '@vaani/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { Queryable } from '../../database/transaction.ts'
import type { Principal } from '../principal.ts'
import { concurrencyOf, tooManyAtOnce } from './rate-limits.ts'

const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, $2))'

/** Limit on the objects of an account and mode that have not ended. */
export interface OpenLimit {
  /** Counts them up to the limit. */
  count(database: Db, principal: Principal): Promise<number>
  /**
   * Refuses a request before its body is read, if the account is at its limit.
   *
   * @throws ApiError `rate_limit_exceeded`
   */
  requireRoom(database: Db, principal: Principal): Promise<void>
  /**
   * Aborts the transaction that has just written an object if the account is over its limit. A lock per account and mode makes the
   * limit exact.
   *
   * @throws ApiError `rate_limit_exceeded`
   */
  requireWithinLimit(options: { database: Db; client: Queryable; principal: Principal }): Promise<void>
}

/**
 * Makes the limit of one kind of object.
 *
 * @param options.seed tells its locks from those of other kinds
 * @param options.selectOpen selects the open objects of an account by index
 * @example
 * const limit = createOpenLimit({ name: 'unfinished_batches', seed: 3, selectOpen })
 * await limit.requireRoom(database, principal)
 */
export function createOpenLimit(options: {
  name: ConcurrencyLimitName
  seed: number
  selectOpen: (principal: Principal) => RawBuilder<unknown>
}): OpenLimit {
  const { name, seed, selectOpen } = options
  const countUpTo = (most: number, principal: Principal) => sql<{ open: number }>`
    select count(*)::integer as open from (${selectOpen(principal)} limit ${most}) as counted`
  async function count(database: Db, principal: Principal): Promise<number> {
    const { rows } = await countUpTo(concurrencyOf(name, principal).limit, principal).execute(database)
    return rows[0]?.open ?? 0
  }

  return {
    count,
    async requireRoom(database, principal) {
      const { limit } = concurrencyOf(name, principal)
      if ((await count(database, principal)) >= limit) throw tooManyAtOnce(name, limit)
    },
    async requireWithinLimit({ database, client, principal }) {
      const { limit } = concurrencyOf(name, principal)
      await client.query(LOCK, [`${principal.accountId}:${principal.livemode}`, seed])
      const count = countUpTo(limit + 1, principal).compile(database)
      const { rows } = await client.query<{ open: number }>(count.sql, [...count.parameters])
      if ((rows[0]?.open ?? 0) > limit) throw tooManyAtOnce(name, limit)
    },
  }
}
