import type { ArtifactName, MediaProblem, ReviewReason } from '@vaani/contracts'
import type { Policy } from '@vaani/identity-checks'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import type { DecisionStore } from '../decision-store.ts'
import { withAsk } from '../rules/ask-reasons.ts'
import { reasonsOfReview, type StoredReason } from '../rules/review-reasons.ts'
import type { EntryRow, VerificationRow } from '../tables.ts'
import { claimOf, newClaim, NO_CLAIM, requireNoOther } from './claim.ts'
import { votesFor } from './count-votes.ts'
import { createEntryStore, type Decision, type Deed } from './entry-store.ts'
import { isPerson, type Person } from './person.ts'
import { createQueueStore, type QueueStore } from './queue-store.ts'

/** The work of people on verifications. Methods that change a review return undefined if the verification is not in review. */
export interface ReviewStore extends QueueStore {
  /** Claims the oldest review that is free and has no vote of the person. */
  claimNext(tenant: Tenant, person: Person): Promise<VerificationRow | undefined>
  /** @throws ApiError `state_conflict` if somebody else has claimed it */
  claim(tenant: Tenant, verificationId: string, person: Person): Promise<VerificationRow | undefined>
  /** @throws ApiError `state_conflict` if somebody else has claimed it */
  release(tenant: Tenant, verificationId: string, person: Person): Promise<VerificationRow | undefined>
  /**
   * Tells the person to send something again, and takes the review from the queue.
   *
   * @throws ApiError `state_conflict` if somebody else has claimed it
   */
  ask(
    tenant: Tenant,
    verificationId: string,
    ask: {
      person: Person
      artifact: ArtifactName
      problem: MediaProblem
      note: Buffer | null
      entryId: string
    },
  ): Promise<VerificationRow | undefined>
  /**
   * Records a vote, and decides the verification if as many people agree as are needed.
   *
   * @throws ApiError `state_conflict` if somebody else has claimed it
   */
  vote(
    tenant: Tenant,
    verificationId: string,
    vote: {
      person: Person
      decision: Decision
      reasons: ReviewReason[]
      note: Buffer | null
      entryId: string
      needed: number
    },
  ): Promise<VerificationRow | undefined>
  /** Records a look or a note. */
  record(
    verificationId: string,
    person: Person,
    deed: Extract<Deed, { type: 'look' | 'note' }>,
    entryId: string,
  ): Promise<EntryRow>
  /** Lists votes, the oldest first. */
  votes(verificationIds: readonly string[]): Promise<EntryRow[]>
  /** Lists entries, the newest first. */
  history(verificationId: string, page: { limit: number; cursor?: string | undefined }): Promise<EntryRow[]>
}

const REVIEW_EVENTS = { approved: 'review_approved', declined: 'review_declined' } as const
/** Free reviews that are searched for one without a vote of the person, the oldest first. */
const MOST_SEARCHED = 1000

export function createReviewStore(options: {
  database: Db
  store: Pick<DecisionStore, 'changeReview' | 'decideReview'>
  clock: Clock
  makeId: IdMaker
  policyNamed: (name: string) => Policy
}): ReviewStore {
  const { database, store, clock } = options
  const entries = createEntryStore(options)

  /** Locks a review that nobody else has claimed. @throws ApiError `state_conflict` */
  async function lock(
    tx: Tx,
    { tenant, verificationId, person }: { tenant: Tenant; verificationId: string; person: Person },
  ): Promise<VerificationRow | undefined> {
    const row = await inReview(tx, tenant)
      .where('verification_id', '=', verificationId)
      .forUpdate()
      .executeTakeFirst()
    if (row) requireNoOther(claimOf(row, clock.nowMs()), person)
    return row
  }

  return {
    ...createQueueStore(options),
    claimNext: (tenant, person) =>
      database.transaction().execute(async (tx) => {
        const next = await lockOldestFree(tx, { tenant, person, now: new Date(clock.nowMs()) })
        if (next === undefined) return undefined
        await entries.write(tx, { verificationId: next.verification_id, person, deed: { type: 'claim' } })
        return setClaim(tx, next.verification_id, newClaim(person, clock.nowMs()))
      }),
    claim: (tenant, verificationId, person) =>
      database.transaction().execute(async (tx) => {
        const row = await lock(tx, { tenant, verificationId, person })
        if (row === undefined) return undefined
        if (claimOf(row, clock.nowMs()) === null)
          await entries.write(tx, { verificationId, person, deed: { type: 'claim' } })
        return setClaim(tx, verificationId, newClaim(person, clock.nowMs()))
      }),
    release: (tenant, verificationId, person) =>
      database.transaction().execute(async (tx) => {
        const row = await lock(tx, { tenant, verificationId, person })
        if (row === undefined || claimOf(row, clock.nowMs()) === null) return row
        await entries.write(tx, { verificationId, person, deed: { type: 'release' } })
        return setClaim(tx, verificationId, NO_CLAIM)
      }),
    ask: (tenant, verificationId, { entryId, person, ...ask }) =>
      store.changeReview(async (tx) => {
        const row = await lock(tx, { tenant, verificationId, person })
        if (row === undefined) return undefined
        await entries.write(tx, { verificationId, person, deed: { type: 'ask', ...ask }, entryId })
        return awaitPerson(tx, row, withAsk(row.reasons, ask.artifact, ask.problem))
      }),
    vote: (tenant, verificationId, { person, decision, reasons, note, entryId, needed }) =>
      store.decideReview(tenant, person.keyId, async (tx) => {
        const row = await lock(tx, { tenant, verificationId, person })
        if (row === undefined) return undefined
        await entries.write(tx, {
          verificationId,
          person,
          deed: { type: 'vote', decision, reasons, note },
          entryId,
        })
        const released = await setClaim(tx, verificationId, NO_CLAIM)
        const agreeing = votesFor(decision, await entries.votesIn(tx, [verificationId]))
        if (agreeing.length < needed) return { row: released, event: null, reasons: [] }
        const told = reasonsOfReview(
          decision,
          agreeing.flatMap((vote) => vote.reasons),
        )
        return { row: released, event: REVIEW_EVENTS[decision], reasons: told }
      }),
    record: (verificationId, person, deed, entryId) =>
      entries.write(database, { verificationId, person, deed, entryId }),
    votes: (verificationIds) => entries.votesIn(database, verificationIds),
    history: entries.history,
  }
}

const inReview = (tx: Tx | Db, { accountId, livemode }: Tenant) =>
  tx
    .selectFrom('verifications')
    .where('account_id', '=', anyOf(accountId))
    .where('livemode', '=', livemode)
    .where('status', '=', 'review')
    .selectAll('verifications')

const setClaim = (tx: Tx, verificationId: string, claim: ReturnType<typeof newClaim> | typeof NO_CLAIM) =>
  tx
    .updateTable('verifications')
    .set(claim)
    .where('verification_id', '=', verificationId)
    .returningAll()
    .executeTakeFirstOrThrow()

const awaitPerson = (tx: Tx, { verification_id }: VerificationRow, reasons: readonly StoredReason[]) =>
  tx
    .updateTable('verifications')
    .set({ ...NO_CLAIM, awaits_person: true, reasons: JSON.stringify(reasons) })
    .where('verification_id', '=', verification_id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Locks the oldest review that is free and has no vote of the person. */
function lockOldestFree(
  tx: Tx,
  { tenant, person, now }: { tenant: Tenant; person: Person; now: Date },
): Promise<{ verification_id: string } | undefined> {
  const oldest = inReview(tx, tenant)
    .where('awaits_person', '=', false)
    .where(sql<boolean>`(claim_expires_at is null or claim_expires_at <= ${now})`)
    .orderBy('account_id')
    .orderBy('verification_id')
    .limit(MOST_SEARCHED)
  return tx
    .with('oldest', () => oldest)
    .selectFrom('verifications')
    .innerJoin('oldest', 'oldest.verification_id', 'verifications.verification_id')
    .where('verifications.status', '=', 'review')
    .where(sql<boolean>`verifications.claim_expires_at is not distinct from oldest.claim_expires_at`)
    .where(
      sql<boolean>`not exists (
        select from review_entries entry
        where entry.verification_id = verifications.verification_id and entry.type = 'vote'
          and ${isPerson(person, 'entry')})`,
    )
    .select('verifications.verification_id')
    .orderBy('verifications.verification_id')
    .limit(1)
    .forUpdate('verifications')
    .skipLocked()
    .executeTakeFirst()
}
