import { LIMITS, type ReviewCounts, type WaitingFor } from '@vaani/contracts'
import type { Policy } from '@vaani/identity-checks'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { firstIdAt } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type RawBuilder, sql } from 'kysely'
import { dueAt, overdueBefore } from '../rules/due-at.ts'
import type { VerificationRow } from '../tables.ts'

export interface QueueQuery {
  tenant: Tenant
  limit: number
  cursor?: string | undefined
  waitingFor: WaitingFor
  isClaimed?: boolean | undefined
  /** The `reviewer` of a claim, or the id of its key. */
  claimedBy?: string | undefined
  reason?: string | undefined
  policy?: string | undefined
  externalId?: string | undefined
  createdBefore?: Date | undefined
  createdAfter?: Date | undefined
}

/** The queue of reviews. No statement reads many more rows than it returns or counts, apart from claims, of which people have few. */
export interface QueueStore {
  /** Lists reviews, the oldest first. */
  list(query: QueueQuery): Promise<VerificationRow[]>
  counts(tenant: Tenant): Promise<ReviewCounts>
}

export function createQueueStore({
  database,
  clock,
  policyNamed,
}: {
  database: Db
  clock: Clock
  policyNamed: (name: string) => Policy
}): QueueStore {
  return {
    list: (query) =>
      byIndex(database, async (tx) => {
        const { rows } = await selectQueue(query, new Date(clock.nowMs())).execute(tx)
        return rows
      }),
    counts: (tenant) =>
      byIndex(database, (tx) => countQueue(tx, { tenant, policyNamed, nowMs: clock.nowMs() })),
  }
}

function selectQueue(query: QueueQuery, now: Date): RawBuilder<VerificationRow> {
  const { tenant, limit, isClaimed, claimedBy, reason, policy, externalId } = query
  const awaitsPerson = query.waitingFor === 'person'
  const bounds = boundsOf(query)
  const isOfFew = isClaimed === true || claimedBy !== undefined || externalId !== undefined
  const conditions = [
    sql`verifications.status = 'review'`,
    isOfQueue('verifications', tenant, awaitsPerson),
    ...bounds.map((bound) => sql`verifications.verification_id ${bound}`),
    ...(policy === undefined ? [] : [sql`verifications.policy = ${policy}`]),
    ...(externalId === undefined ? [] : [sql`verifications.external_id = ${externalId}`]),
    ...(isClaimed === false ? [sql`(claim_expires_at is null or claim_expires_at <= ${now})`] : []),
    ...(claimedBy === undefined ? [] : [sql`${claimedBy} in (claim_reviewer, claim_key_id)`]),
    // The index of claims is not in the order of the queue.
    ...(isClaimed === true || claimedBy !== undefined
      ? [sql`verifications.verification_id = any (array(${selectClaimed(tenant, now)}))`]
      : []),
    ...(reason === undefined || !isOfFew
      ? []
      : [
          sql`exists (
            select from review_reasons where verification_id = verifications.verification_id and code = ${reason})`,
        ]),
  ]
  const where = sql.join(conditions, sql` and `)
  if (reason === undefined || isOfFew)
    return sql`
      select * from verifications where ${where}
      order by account_id, verification_id limit ${limit}`
  const ofReason = [
    isOfQueue('review_reasons', tenant, awaitsPerson),
    sql`code = ${reason}`,
    ...bounds.map((bound) => sql`verification_id ${bound}`),
    ...(policy === undefined ? [] : [sql`policy = ${policy}`]),
  ]
  return sql`
    select verifications.*
    from (
      select account_id, verification_id from review_reasons where ${sql.join(ofReason, sql` and `)}
      order by account_id, verification_id offset 0
    ) as found join verifications using (verification_id)
    where ${where}
    order by found.account_id, found.verification_id limit ${limit}`
}

const isOfQueue = (table: string, { accountId, livemode }: Tenant, awaitsPerson: boolean) => sql`
  ${sql.ref(`${table}.account_id`)} = ${anyOf(accountId)} and ${sql.ref(`${table}.livemode`)} = ${livemode}
  and ${sql.ref(`${table}.awaits_person`)} = ${awaitsPerson}`

/** Ids are in the order of time. */
const boundsOf = ({ cursor, createdAfter, createdBefore }: QueueQuery) => [
  ...(cursor === undefined ? [] : [sql`> ${cursor}`]),
  ...(createdAfter === undefined ? [] : [sql`>= ${firstIdAt('verification', createdAfter.getTime())}`]),
  ...(createdBefore === undefined ? [] : [sql`< ${firstIdAt('verification', createdBefore.getTime())}`]),
]

const selectClaimed = ({ accountId, livemode }: Tenant, now: Date) => sql`
  select verification_id from verifications
  where account_id = ${accountId} and livemode = ${livemode} and status = 'review' and claim_expires_at > ${now}`

async function countQueue(
  tx: Tx,
  { tenant, policyNamed, nowMs }: { tenant: Tenant; policyNamed: (name: string) => Policy; nowMs: number },
): Promise<ReviewCounts> {
  const waiting = sql`status = 'review' and ${isOfQueue('verifications', tenant, false)}`
  const totals = await sql<{ reviews: number; claimed: number; for_person: number; oldest: Date | null }>`
    select
      ${countOf(sql`select from verifications where ${waiting}`)} as reviews,
      ${countOf(sql`${selectClaimed(tenant, new Date(nowMs))} and not awaits_person`)} as claimed,
      ${countOf(sql`select from verifications where status = 'review' and ${isOfQueue('verifications', tenant, true)}`)}
        as for_person,
      (select created_at from verifications where ${waiting} order by account_id, verification_id limit 1) as oldest
  `.execute(tx)
  const policies = await sql<{ value: string; reviews: number; oldest: Date }>`
    with recursive ${distinctOf('policy', sql`verifications where ${waiting}`)}
    select value, ${countOf(sql`select from verifications where ${waiting} and policy = value`)} as reviews,
      (select created_at from verifications where ${waiting} and policy = value
       order by account_id, verification_id limit 1) as oldest
    from found where value is not null`.execute(tx)
  const ofReason = sql`review_reasons where ${isOfQueue('review_reasons', tenant, false)}`
  const reasons = await sql<{ value: string; reviews: number }>`
    with recursive ${distinctOf('code', ofReason)}
    select value, ${countOf(sql`select from ${ofReason} and code = value`)} as reviews
    from found where value is not null`.execute(tx)

  const countOverdue = async (name: string, before: number): Promise<number> => {
    const isOverdue = sql`policy = ${name} and verification_id < ${firstIdAt('verification', before)}`
    const counted = countOf(sql`select from verifications where ${waiting} and ${isOverdue}`)
    const { rows } = await sql<{ overdue: number }>`select ${counted} as overdue`.execute(tx)
    return rows[0]?.overdue ?? 0
  }
  const byPolicy: ReviewCounts['by_policy'] = []
  for (const { value, reviews, oldest } of policies.rows) {
    const policy = policyNamed(value)
    const before = overdueBefore(policy, nowMs)
    byPolicy.push({
      policy: value,
      reviews,
      oldest_created_at: oldest.toISOString(),
      oldest_due_at: dueAt(policy, oldest)?.toISOString() ?? null,
      overdue: before === null ? 0 : await countOverdue(value, before),
    })
  }
  const [total] = totals.rows
  return {
    reviews: total?.reviews ?? 0,
    claimed: total?.claimed ?? 0,
    waiting_for_person: total?.for_person ?? 0,
    oldest_created_at: total?.oldest?.toISOString() ?? null,
    by_policy: byPolicy,
    by_reason: reasons.rows.map(({ value, reviews }) => ({ reason: value, reviews })),
  }
}

const countOf = (rows: RawBuilder<unknown>) => sql`
  (select count(*)::integer from (${rows} limit ${sql.lit(LIMITS.reviewsCounted)}) as counted)`

/** Finds the different values of a column, one step of an index for each. */
const distinctOf = (column: 'policy' | 'code', rows: RawBuilder<unknown>) => {
  const name = sql.ref(column)
  return sql`
    found (value) as (
      (select ${name} from ${rows} order by account_id, ${name} limit 1)
      union all
      select (select ${name} from ${rows} and ${name} > found.value order by account_id, ${name} limit 1)
      from found where found.value is not null
    )`
}
