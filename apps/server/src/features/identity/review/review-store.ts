import type { ArtifactName } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import type { EntryRow, VerificationRow } from '../tables.ts'
import type { VerificationStore } from '../store.ts'
import { claimOf, newClaim, NO_CLAIM, requireNoOther } from './claim.ts'
import { isAgreed } from './count-votes.ts'
import { isPerson, type Person } from './person.ts'

type Decision = NonNullable<EntryRow['decision']>

/** What somebody does in a review. Notes are sealed under the key of their entry's id. */
type Deed =
  | { type: 'claim' | 'release' }
  | { type: 'look'; artifact: ArtifactName }
  | { type: 'note'; note: Buffer }
  | { type: 'vote'; decision: Decision; note: Buffer | null }

/** The work of people on verifications. Methods that change a review return undefined if the verification is not in review. */
export interface ReviewStore {
  list(query: {
    tenant: Tenant
    limit: number
    cursor?: string | undefined
    isClaimed?: boolean | undefined
  }): Promise<VerificationRow[]>
  /** Claims the oldest review that is free and has no vote of the person. */
  claimNext(tenant: Tenant, person: Person): Promise<VerificationRow | undefined>
  /** @throws ApiError `state_conflict` if somebody else has claimed it */
  claim(tenant: Tenant, verificationId: string, person: Person): Promise<VerificationRow | undefined>
  /** @throws ApiError `state_conflict` if somebody else has claimed it */
  release(tenant: Tenant, verificationId: string, person: Person): Promise<VerificationRow | undefined>
  /**
   * Records a vote, and decides the verification if as many people agree as are needed.
   *
   * @throws ApiError `state_conflict` if somebody else has claimed it
   */
  vote(
    tenant: Tenant,
    verificationId: string,
    vote: { person: Person; decision: Decision; note: Buffer | null; entryId: string; needed: number },
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
  store: VerificationStore
  clock: Clock
  makeId: IdMaker
}): ReviewStore {
  const { database, store, clock, makeId } = options

  const write = (
    tx: Tx | Db,
    verificationId: string,
    { keyId, reviewer }: Person,
    deed: Deed,
    entryId: string = makeId('entry'),
  ): Promise<EntryRow> =>
    tx
      .insertInto('review_entries')
      .values({
        decision: null,
        artifact: null,
        note: null,
        ...deed,
        entry_id: entryId,
        verification_id: verificationId,
        key_id: keyId,
        reviewer,
        created_at: new Date(clock.nowMs()),
      })
      .returningAll()
      .executeTakeFirstOrThrow()

  const hasClaim = (isClaimed: boolean) => {
    const now = new Date(clock.nowMs())
    return isClaimed
      ? sql<boolean>`claim_expires_at is not null and claim_expires_at > ${now}`
      : sql<boolean>`(claim_expires_at is null or claim_expires_at <= ${now})`
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

  const votesIn = (tx: Tx | Db, verificationIds: readonly string[]): Promise<EntryRow[]> =>
    tx
      .selectFrom('review_entries')
      .where('verification_id', '=', sql<string>`any (${verificationIds}::text[])`)
      .where('type', '=', 'vote')
      .selectAll()
      .orderBy('entry_id')
      .execute()

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
    list({ tenant, limit, cursor, isClaimed }) {
      let query = inReview(database, tenant)
      if (cursor !== undefined) query = query.where('verification_id', '>', cursor)
      if (isClaimed !== undefined) query = query.where(hasClaim(isClaimed))
      return query.orderBy('account_id').orderBy('livemode').orderBy('verification_id').limit(limit).execute()
    },
    claimNext: (tenant, person) =>
      database.transaction().execute(async (tx) => {
        const oldest = inReview(tx, tenant)
          .where(hasClaim(false))
          .orderBy('account_id')
          .orderBy('livemode')
          .orderBy('verification_id')
          .limit(MOST_SEARCHED)
        const next = await tx
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
        if (next === undefined) return undefined
        await write(tx, next.verification_id, person, { type: 'claim' })
        return setClaim(tx, next.verification_id, newClaim(person, clock.nowMs()))
      }),
    claim: (tenant, verificationId, person) =>
      database.transaction().execute(async (tx) => {
        const row = await lock(tx, { tenant, verificationId, person })
        if (row === undefined) return undefined
        if (claimOf(row, clock.nowMs()) === null) await write(tx, verificationId, person, { type: 'claim' })
        return setClaim(tx, verificationId, newClaim(person, clock.nowMs()))
      }),
    release: (tenant, verificationId, person) =>
      database.transaction().execute(async (tx) => {
        const row = await lock(tx, { tenant, verificationId, person })
        if (row === undefined || claimOf(row, clock.nowMs()) === null) return row
        await write(tx, verificationId, person, { type: 'release' })
        return setClaim(tx, verificationId, NO_CLAIM)
      }),
    vote: (tenant, verificationId, { person, decision, note, entryId, needed }) =>
      store.decideReview(tenant, person.keyId, async (tx) => {
        const row = await lock(tx, { tenant, verificationId, person })
        if (row === undefined) return undefined
        await write(tx, verificationId, person, { type: 'vote', decision, note }, entryId)
        const released = await setClaim(tx, verificationId, NO_CLAIM)
        const isDecided = isAgreed(await votesIn(tx, [verificationId]), decision, needed)
        return { row: released, event: isDecided ? REVIEW_EVENTS[decision] : null }
      }),
    record: (verificationId, person, deed, entryId) => write(database, verificationId, person, deed, entryId),
    votes: (verificationIds) => votesIn(database, verificationIds),
    history(verificationId, { limit, cursor }) {
      let query = database
        .selectFrom('review_entries')
        .where('verification_id', '=', verificationId)
        .selectAll()
      if (cursor !== undefined) query = query.where('entry_id', '<', cursor)
      return query.orderBy('entry_id', 'desc').limit(limit).execute()
    },
  }
}
