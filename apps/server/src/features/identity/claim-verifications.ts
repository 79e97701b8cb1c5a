import type { Tx } from '@vaani/service-kit/database/connect'
import {
  EARLIER_VERSIONS_WAIT,
  isAbandoned,
  isLeased,
  workersWithoutLease,
} from '@vaani/service-kit/leases/abandoned'
import { accountsInTurn } from '@vaani/service-kit/work/accounts-in-turn'
import { type RawBuilder, sql } from 'kysely'
import type { VerificationRow } from './tables.ts'

export interface VerificationClaim {
  workerId: string
  /** Verifications that the worker is checking. The claim first releases any others that it holds. */
  checking: readonly string[]
  /** Maximum number of verifications to claim. */
  room: number
  /** Maximum number of verifications of one account that the worker may hold at a time. */
  perAccount: number
  /** Accounts of the verifications that the worker already holds, one for each. */
  underWay: readonly string[]
  /** The account served last. Ties between accounts go to the next one after it. */
  after: string
}

/**
 * Claims the oldest verifications of the accounts that have the fewest running in all processes. The two modes of an account
 * share its quota, live verifications first.
 */
export async function claimVerifications(tx: Tx, claim: VerificationClaim): Promise<VerificationRow[]> {
  await giveBackAbandoned(claim).execute(tx)
  const { rows } = await claimInTurn(claim).execute(tx)
  return rows
}

/** Must match the predicates of the indexes word for word. */
const IS_HELD = sql`status = 'pending' and worker_id is not null`
export const IS_WAITING = sql`
  status = 'pending' and worker_id is null and (livemode or external_id is distinct from 'test_pending_forever')`
/** Excludes rows that an earlier version postponed. */
const IS_NOT_POSTPONED = sql`(lease_expires_at is null or lease_expires_at < now())`

/** Finds whether any verification waits or is held. It costs a fraction of a claim, which most polls do not need. */
export const findPending = sql`
  (select from verifications where ${IS_WAITING} order by account_id limit 1)
  union all
  (select from verifications where ${IS_HELD} order by account_id limit 1)`

/** Releases verifications of workers that are gone, and those that this worker holds unknowingly because a reply was lost. */
export const giveBackAbandoned = ({
  workerId,
  checking,
}: Pick<VerificationClaim, 'workerId' | 'checking'>) => sql`
  update verifications set worker_id = null, lease_expires_at = null, not_before = now()
  where ${IS_HELD}
    and worker_id in (select ${workerId}::text union all ${workersWithoutLease('verifications', IS_HELD)})
    and (${isAbandoned('verifications')} or worker_id = ${workerId} and verification_id <> all (${checking}::text[]))`

/** Orders exactly like the index, including `not_before` even where that is null in every row. */
const waitingOf = (account: RawBuilder<unknown>, { livemode, room }: { livemode: boolean; room: number }) => {
  const isWaiting = sql`
    ${IS_WAITING} and ${IS_NOT_POSTPONED} and account_id = ${account} and livemode = ${sql.lit(livemode)}`
  return sql`
    (select verification_id, livemode, not_before, created_at from verifications
      where ${isWaiting} and not_before <= now() order by not_before limit ${room})
    union all
    (select verification_id, livemode, not_before, created_at from verifications
      where ${isWaiting} and not_before is null order by not_before, created_at limit ${room})`
}

/**
 * Costs the same with a million verifications as with a hundred. The update repeats only a part of the index predicate, so that
 * the planner cannot use that index to find single rows.
 */
export const claimInTurn = ({
  workerId,
  room,
  perAccount,
  underWay,
  after,
}: Omit<VerificationClaim, 'checking'>) => sql<VerificationRow>`
  with recursive ${accountsInTurn({
    accountAfter: (account) => sql`
      select account_id from verifications
      where ${IS_WAITING} and account_id > ${account} order by account_id limit 1`,
    rowsOf: (account) => sql`
      select * from (
        ${waitingOf(account, { livemode: true, room })} union all ${waitingOf(account, { livemode: false, room })}
      ) as waiting
      order by livemode desc, not_before, created_at limit ${room}`,
    order: sql`own.livemode desc, own.not_before, own.created_at`,
    underWay: (account) => sql`
      select count(*) from verifications where ${IS_HELD} and account_id = ${account}`,
    after,
  })},
  allowed as (
    select *, row_number() over (partition by account_id order by turn)
      + (select count(*) from unnest(${underWay}::text[]) as held (account_id) where held.account_id = turns.account_id) as held
    from turns
  ),
  chosen as (
    select verification_id, turn, livemode, place from allowed
    where held <= ${perAccount} order by turn, livemode desc, place limit ${room}
  ),
  claimed as (
    update verifications
    set worker_id = ${workerId}, not_before = null, lease_expires_at = ${EARLIER_VERSIONS_WAIT}, attempts = attempts + 1
    from chosen
    where verifications.verification_id = chosen.verification_id
      and status = 'pending' and worker_id is null and ${IS_NOT_POSTPONED} and ${isLeased(workerId)}
    returning verifications.*
  )
  select claimed.* from claimed join chosen using (verification_id)
  order by chosen.turn, chosen.livemode desc, chosen.place`
