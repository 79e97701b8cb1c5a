import type { Tx } from '@vaani/service-kit/database/connect'
import { type RawBuilder, sql } from 'kysely'
import type { VerificationRow } from './tables.ts'

export interface ClaimRequest {
  workerId: string
  /** Verifications to take at most. */
  room: number
  /** Verifications of one account that the worker may have at a time. */
  perAccount: number
  /** What the worker has already, by account. */
  underWay: ReadonlyMap<string, number>
  /** The account that was served last: of those that are equal, the next one goes first. */
  after: string
}

export const LEASE_SECONDS = 15

export const secondsFromNow = (seconds: number): RawBuilder<Date> =>
  sql<Date>`now() + make_interval(secs => ${seconds})`

/** Accounts that one claim looks at. Those beyond are the first of a later one, because each begins after the last. */
const MAX_ACCOUNTS = 64

/**
 * Takes the oldest verification of the account that has the fewest under way anywhere, one after another. Both modes of an
 * account share its part, and what is live goes first. Claims take turns on a lock, so that each sees the one before it.
 */
export async function claimVerifications(tx: Tx, request: ClaimRequest): Promise<VerificationRow[]> {
  const { workerId, room, perAccount } = request
  const underWay = new Map(request.underWay)
  const claimed: VerificationRow[] = []
  await sql`select pg_advisory_xact_lock(hashtextextended('claim of verifications', 0))`.execute(tx)
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

/** As the index has it, word for word. */
export const CLAIMABLE = sql`status = 'pending' and (livemode or external_id is distinct from 'test_pending_forever')`

/** The next account with something pending: one step in the index, however many it has. */
const accountAfter = (account: RawBuilder<unknown>) => sql`(
  select account_id from verifications
  where ${CLAIMABLE} and account_id > ${account} order by account_id limit 1)`

/** Round and round: after the last account comes the first. */
const nextAccount = (account: RawBuilder<unknown>) =>
  sql`coalesce(${accountAfter(account)}, ${accountAfter(sql`''`)})`

/**
 * One statement, which costs as much with a million verifications as with a hundred: it orders as the index does, down to
 * the lease that is null in each row.
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
      where status = 'pending' and worker_id is not null and account_id = round.account_id
        and lease_expires_at >= now()
    ) as busy
    cross join lateral (
      select mode.livemode, oldest.verification_id
      from (values (true), (false)) as mode (livemode)
      cross join lateral (
        (select verification_id from verifications
          where ${CLAIMABLE} and account_id = round.account_id and livemode = mode.livemode and lease_expires_at < now()
          order by lease_expires_at limit 1)
        union all
        (select verification_id from verifications
          where ${CLAIMABLE} and account_id = round.account_id and livemode = mode.livemode and lease_expires_at is null
          order by lease_expires_at, created_at limit 1)
      ) as oldest
      order by mode.livemode desc limit 1
    ) as pending
    where round.account_id <> all (${full}::text[])
    order by busy.under_way, pending.livemode desc, round.position
    limit 1
  )
  update verifications
  set worker_id = ${workerId}, lease_expires_at = ${secondsFromNow(LEASE_SECONDS)}, attempts = attempts + 1
  from chosen
  where verifications.verification_id = chosen.verification_id
    and status = 'pending' and (lease_expires_at is null or lease_expires_at < now())
  returning verifications.*`
