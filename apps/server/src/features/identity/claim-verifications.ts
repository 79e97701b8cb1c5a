import type { Tx } from '@vaani/service-kit/database/connect'
import {
  EARLIER_VERSIONS_WAIT,
  isAbandoned,
  isLeased,
  workersWithoutLease,
} from '@vaani/service-kit/leases/abandoned'
import { type RawBuilder, sql } from 'kysely'
import type { VerificationRow } from './tables.ts'

export interface ClaimRequest {
  workerId: string
  /** Verifications that the worker is checking. The claim first releases any others that it holds. */
  checking: readonly string[]
  /** Maximum number of verifications to claim. */
  room: number
  /** Maximum number of verifications of one account that the worker may hold at a time. */
  perAccount: number
  /** Number of verifications that the worker already holds, by account. */
  underWay: ReadonlyMap<string, number>
  /** The account served last. Ties between accounts go to the next one after it. */
  after: string
}

/** Accounts that one claim considers. The others come first in a later claim, because each starts after the last account. */
const MAX_ACCOUNTS = 64

/**
 * Claims verifications one by one, each time the oldest one of the account that has the fewest running in all processes. The
 * two modes of an account share its quota, live verifications first. A lock serializes claims, so that each sees the previous
 * one.
 */
export async function claimVerifications(tx: Tx, request: ClaimRequest): Promise<VerificationRow[]> {
  const { workerId, room, perAccount } = request
  const underWay = new Map(request.underWay)
  const claimed: VerificationRow[] = []
  await sql`select pg_advisory_xact_lock(hashtextextended('claim of verifications', 0))`.execute(tx)
  await giveBackAbandoned(request).execute(tx)
  while (claimed.length < room) {
    const full = [...underWay].filter(([, count]) => count >= perAccount).map(([accountId]) => accountId)
    const after = claimed.at(-1)?.account_id ?? request.after
    const { rows } = await claimOne({ workerId, full, after }).execute(tx)
    const [row] = rows
    if (row === undefined) break
    claimed.push(row)
    underWay.set(row.account_id, (underWay.get(row.account_id) ?? 0) + 1)
  }
  return claimed
}

/** Must match the predicates of the indexes word for word. */
const IS_HELD = sql`status = 'pending' and worker_id is not null`
export const IS_WAITING = sql`
  status = 'pending' and worker_id is null and (livemode or external_id is distinct from 'test_pending_forever')`
/** Excludes rows that an earlier version postponed. */
const IS_NOT_POSTPONED = sql`(lease_expires_at is null or lease_expires_at < now())`

/** Releases verifications of workers that are gone, and those that this worker holds unknowingly because a reply was lost. */
export const giveBackAbandoned = ({ workerId, checking }: Pick<ClaimRequest, 'workerId' | 'checking'>) => sql`
  update verifications set worker_id = null, lease_expires_at = null, not_before = now()
  where ${IS_HELD}
    and worker_id in (select ${workerId}::text union all ${workersWithoutLease('verifications', IS_HELD)})
    and (${isAbandoned('verifications')} or worker_id = ${workerId} and verification_id <> all (${checking}::text[]))`

/** Finds the next account with waiting verifications, in one index step, however many it has. */
const accountAfter = (account: RawBuilder<unknown>) => sql`(
  select account_id from verifications
  where ${IS_WAITING} and account_id > ${account} order by account_id limit 1)`

/** Like `accountAfter`, but wraps around after the last account. */
const nextAccount = (account: RawBuilder<unknown>) =>
  sql`coalesce(${accountAfter(account)}, ${accountAfter(sql`''`)})`

/**
 * Claims one verification in one statement, which costs the same with a million verifications as with a hundred. It orders
 * exactly like the index, including `not_before` even where that is null in every row. The update repeats only a part of the
 * index predicate, so that the planner cannot use that index to find the single row.
 */
export const claimOne = ({
  workerId,
  full,
  after,
}: {
  workerId: string
  full: string[]
  after: string
}) => sql<VerificationRow>`
  with recursive round (position, account_id, first) as (
    select 1, account_id, account_id from (select ${nextAccount(sql`${after}::text`)} as account_id) as start
    where account_id is not null
    union all
    select position + 1, next.account_id, first
    from round cross join lateral (select ${nextAccount(sql`round.account_id`)} as account_id) as next
    where position < ${MAX_ACCOUNTS} and next.account_id <> first
  ),
  chosen as (
    select pending.verification_id
    from round
    cross join lateral (
      select count(*) as under_way from verifications
      where ${IS_HELD} and account_id = round.account_id
    ) as busy
    cross join lateral (
      select mode.livemode, oldest.verification_id
      from (values (true), (false)) as mode (livemode)
      cross join lateral (
        (select verification_id from verifications
          where ${IS_WAITING} and ${IS_NOT_POSTPONED} and account_id = round.account_id and livemode = mode.livemode
            and not_before <= now()
          order by not_before limit 1)
        union all
        (select verification_id from verifications
          where ${IS_WAITING} and ${IS_NOT_POSTPONED} and account_id = round.account_id and livemode = mode.livemode
            and not_before is null
          order by not_before, created_at limit 1)
      ) as oldest
      order by mode.livemode desc limit 1
    ) as pending
    where round.account_id <> all (${full}::text[])
    order by busy.under_way, pending.livemode desc, round.position
    limit 1
  )
  update verifications
  set worker_id = ${workerId}, not_before = null, lease_expires_at = ${EARLIER_VERSIONS_WAIT}, attempts = attempts + 1
  from chosen
  where verifications.verification_id = chosen.verification_id
    and status = 'pending' and worker_id is null and ${IS_NOT_POSTPONED} and ${isLeased(workerId)}
  returning verifications.*`
