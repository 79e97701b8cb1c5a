import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdempotencyStore } from '@vaani/service-kit/http/idempotency/idempotency'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type RawBuilder, sql } from 'kysely'
import { eraseEvents } from '../webhooks/port.ts'
import type { MediaStore } from './media-store.ts'
import { redactText } from './rules/redact.ts'
import type { VerificationStore } from './store.ts'
import type { VerificationRow } from './tables.ts'

/** Erases personal data from verifications that are no longer pending. What stays are ids, states, scores, reasons and times. */
export interface Erasure {
  /** Erases the media, its digests, and everything that was read from it or noted about it. */
  eraseMedia(row: VerificationRow): Promise<void>
  /**
   * Erases a person: the media and all that belongs to it, the external id, the callback URL, and what events, deliveries and
   * stored responses repeat of them.
   *
   * @returns the number of verifications erased; null, without any change, if one of them is pending
   */
  eraseSubject(tenant: Tenant, externalId: string): Promise<number | null>
  /** Erases what has reached its retention. */
  sweep(): Promise<void>
}

/** Verifications erased per transaction. Each has a handful of events and deliveries. */
const BATCH = 50
/** Callback URLs are needed for as long as deliveries are retried, which is a day, and may then be resent once. */
const LEAST_DAYS_OF_WEBHOOKS = 2

/** Must match the predicates of the indexes word for word. */
const MEDIA_IS_KEPT = sql`(data_key is not null or media_erased_at is null)`
const PERSON_IS_KEPT = sql`erased_at is null`

export function createErasure(options: {
  database: Db
  store: VerificationStore
  media: MediaStore
  idempotency: IdempotencyStore
  clock: Clock
  makeId: IdMaker
  /** Retention of accounts without one of their own. */
  retentionDays: number
}): Erasure {
  const { database, store, media, idempotency, clock, makeId, retentionDays } = options

  async function removeBlobs(rows: readonly VerificationRow[]): Promise<void> {
    if (rows.length === 0) return
    for (const { artifacts } of rows) await media.remove(artifacts)
    await store.forgetMedia(idsOf(rows))
  }

  /** The rows must be locked, so that no review writes an event with what is erased here. */
  async function erasePersons(tx: Tx, rows: readonly VerificationRow[]): Promise<void> {
    if (rows.length === 0) return
    const ids = idsOf(rows)
    const now = new Date(clock.nowMs())
    await eraseMediaOf(tx, ids)
    await eraseEvents(tx, { objectIds: ids, redact: redactText, makeId, now })
    await idempotency.rewriteAnswers(tx, ids, redactText)
    await tx
      .updateTable('verifications')
      .set({ external_id: null, callback_url: null, erased_at: now })
      .where('verification_id', '=', sql<string>`any (${ids}::text[])`)
      .execute()
  }

  async function eraseDue(
    isKept: RawBuilder<unknown>,
    leastDays: number,
    erase: (tx: Tx, ids: readonly string[]) => Promise<void>,
  ): Promise<void> {
    for (let found = BATCH; found === BATCH;) {
      const now = new Date(clock.nowMs())
      const due = await listDue(database, { isKept, leastDays, retentionDays, now })
      if (due.length > 0) await byIndex(database, (tx) => erase(tx, idsOf(due)))
      await removeBlobs(due.filter(({ media_erased_at }) => media_erased_at === null))
      found = due.length
    }
  }

  return {
    async eraseMedia(row) {
      await byIndex(database, (tx) => eraseMediaOf(tx, [row.verification_id]))
      await removeBlobs([row])
    },
    async eraseSubject(tenant, externalId) {
      if (await byIndex(database, (tx) => hasPending(tx, tenant, externalId))) return null
      // The newest first, so that submissions made meanwhile are not reached.
      let before: string | undefined
      let count = 0
      for (let found = BATCH; found === BATCH;) {
        const rows = await byIndex(database, async (tx) => {
          const locked = await lockNewest(tx, { tenant, externalId, before })
          await erasePersons(tx, locked)
          return locked
        })
        await removeBlobs(rows)
        before = rows.at(-1)?.verification_id
        count += rows.length
        found = rows.length
      }
      return count
    },
    async sweep() {
      await eraseDue(MEDIA_IS_KEPT, 0, eraseMediaOf)
      await eraseDue(PERSON_IS_KEPT, LEAST_DAYS_OF_WEBHOOKS, async (tx, ids) =>
        erasePersons(tx, await lockAll(tx, ids)),
      )
    },
  }
}

const idsOf = (rows: readonly VerificationRow[]): string[] =>
  rows.map(({ verification_id }) => verification_id)

/** Erases the key first. Blobs that cannot be removed now are unreadable, and the sweep removes them later. */
async function eraseMediaOf(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('media_fingerprints')
    .where('verification_id', '=', sql<string>`any (${ids}::text[])`)
    .execute()
  await tx
    .updateTable('review_entries')
    .set({ note: null })
    .where('verification_id', '=', sql<string>`any (${ids}::text[])`)
    .where('note', 'is not', null)
    .execute()
  await tx
    .updateTable('verifications')
    .set({ data_key: null, extracted: null, review_note: null })
    .where('verification_id', '=', sql<string>`any (${ids}::text[])`)
    .execute()
}

const ofSubject = (tx: Tx, { accountId, livemode }: Tenant, externalId: string) =>
  tx
    .selectFrom('verifications')
    .where('account_id', '=', anyOf(accountId))
    .where('livemode', '=', livemode)
    .where('external_id', '=', externalId)

async function hasPending(tx: Tx, tenant: Tenant, externalId: string): Promise<boolean> {
  const found = await ofSubject(tx, tenant, externalId)
    .where('status', '=', 'pending')
    .select('verification_id')
    .limit(1)
    .execute()
  return found.length > 0
}

/** Locks the newest verifications of a person that are decided or in review, before the one given. */
function lockNewest(
  tx: Tx,
  { tenant, externalId, before }: { tenant: Tenant; externalId: string; before: string | undefined },
): Promise<VerificationRow[]> {
  let found = ofSubject(tx, tenant, externalId).where('status', '<>', 'pending')
  if (before !== undefined) found = found.where('verification_id', '<', before)
  return found.selectAll().orderBy('verification_id', 'desc').limit(BATCH).forUpdate().execute()
}

const lockAll = (tx: Tx, ids: readonly string[]): Promise<VerificationRow[]> =>
  tx
    .selectFrom('verifications')
    .where('verification_id', '=', sql<string>`any (${ids}::text[])`)
    .selectAll()
    .orderBy('verification_id')
    .forUpdate()
    .execute()

/** Lists verifications that have been decided, or submitted if still in review, for their account's retention. */
async function listDue(
  database: Db,
  {
    isKept,
    leastDays,
    retentionDays,
    now,
  }: { isKept: RawBuilder<unknown>; leastDays: number; retentionDays: number; now: Date },
): Promise<VerificationRow[]> {
  // Account by account, because each may have its own retention.
  const { rows } = await sql<VerificationRow>`
    select due.* from accounts cross join lateral (
      select * from verifications
      where account_id = accounts.account_id and status <> 'pending' and ${isKept}
        and coalesce(decided_at, created_at) < ${now}::timestamptz
          - greatest(coalesce(accounts.media_retention_days, ${retentionDays}::float8), ${leastDays}) * interval '1 day'
      order by coalesce(decided_at, created_at) limit ${BATCH}
    ) due limit ${BATCH}`.execute(database)
  return rows
}
