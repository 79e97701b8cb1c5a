import type { Db } from '@vaani/service-kit/database/connect'
import type { Queryable } from '@vaani/service-kit/database/transaction'
import type { Principal } from '@vaani/service-kit/http/principal'
import { concurrencyOf, tooManyAtOnce } from '@vaani/service-kit/http/limits/rate-limits'
import { sql } from 'kysely'

const NAME = 'pending_verifications'
const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 2))'

/** Counts up to `most`. Omits sandbox verifications that never end, because they keep no worker busy. */
const countPending = ({ accountId, livemode }: Principal, most: number) => sql<{ pending: number }>`
  select count(*)::integer as pending from (
    select from verifications
    where account_id = ${accountId} and livemode = ${livemode} and status = 'pending'
      and (livemode or external_id is distinct from 'test_pending_forever')
    limit ${most}
  ) as counted`

/**
 * Refuses a submission before its body is read, if the account is at its limit.
 *
 * @throws ApiError `rate_limit_exceeded`
 */
export async function requireRoomForPending(database: Db, principal: Principal): Promise<void> {
  const { limit } = concurrencyOf(NAME, principal)
  const { rows } = await countPending(principal, limit).execute(database)
  if ((rows[0]?.pending ?? 0) >= limit) throw tooManyAtOnce(NAME, limit)
}

/**
 * Aborts the transaction that has just written a verification if the account is over its limit. A lock per account and mode
 * makes the limit exact under concurrent submissions.
 *
 * @throws ApiError `rate_limit_exceeded`
 */
export async function requirePendingWithinLimit(options: {
  database: Db
  client: Queryable
  principal: Principal
}): Promise<void> {
  const { database, client, principal } = options
  const { limit } = concurrencyOf(NAME, principal)
  await client.query(LOCK, [`${principal.accountId}:${principal.livemode}`])
  const count = countPending(principal, limit + 1).compile(database)
  const { rows } = await client.query<{ pending: number }>(count.sql, [...count.parameters])
  if ((rows[0]?.pending ?? 0) > limit) throw tooManyAtOnce(NAME, limit)
}
