import type { Db } from '@vaani/service-kit/database/connect'
import type { Queryable } from '@vaani/service-kit/database/transaction'
import { concurrencyOf, tooManyAtOnce } from '@vaani/service-kit/http/limits/rate-limits'
import type { Principal } from '@vaani/service-kit/http/principal'
import { sql } from 'kysely'

const NAME = 'unfinished_documents'
const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 7))'

/** Counts up to `most`. */
export const countOpen = ({ accountId, livemode }: Principal, most: number) => sql<{ open: number }>`
  select count(*)::integer as open from (
    select from documents
    where account_id = ${accountId} and livemode = ${livemode} and status in ('queued', 'processing')
    limit ${most}
  ) as counted`

/**
 * Refuses a document before it is stored, if the account is at its limit.
 *
 * @throws ApiError `rate_limit_exceeded`
 */
export async function requireRoom(database: Db, principal: Principal): Promise<void> {
  const { limit } = concurrencyOf(NAME, principal)
  const { rows } = await countOpen(principal, limit).execute(database)
  if ((rows[0]?.open ?? 0) >= limit) throw tooManyAtOnce(NAME, limit)
}

/**
 * Aborts the transaction that has just written a document if the account is over its limit. A lock per account and mode makes the
 * limit exact.
 *
 * @throws ApiError `rate_limit_exceeded`
 */
export async function requireWithinLimit(options: {
  database: Db
  client: Queryable
  principal: Principal
}): Promise<void> {
  const { database, client, principal } = options
  const { limit } = concurrencyOf(NAME, principal)
  await client.query(LOCK, [`${principal.accountId}:${principal.livemode}`])
  const count = countOpen(principal, limit + 1).compile(database)
  const { rows } = await client.query<{ open: number }>(count.sql, [...count.parameters])
  if ((rows[0]?.open ?? 0) > limit) throw tooManyAtOnce(NAME, limit)
}
