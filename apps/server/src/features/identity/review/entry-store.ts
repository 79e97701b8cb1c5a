import type { ArtifactName, MediaProblem, ReviewReason } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { sql } from 'kysely'
import type { EntryRow } from '../tables.ts'
import type { Person } from './person.ts'

export type Decision = NonNullable<EntryRow['decision']>

/** What somebody does in a review. Notes are sealed under the key of their entry's id. */
export type Deed =
  | { type: 'claim' | 'release' }
  | { type: 'look'; artifact: ArtifactName }
  | { type: 'note'; note: Buffer }
  | { type: 'ask'; artifact: ArtifactName; problem: MediaProblem; note: Buffer | null }
  | { type: 'vote'; decision: Decision; reasons: ReviewReason[]; note: Buffer | null }

/** What people did in reviews. Entries are never changed. */
export interface EntryStore {
  write(
    tx: Tx | Db,
    entry: { verificationId: string; person: Person; deed: Deed; entryId?: string },
  ): Promise<EntryRow>
  /** Lists votes, the oldest first. */
  votesIn(tx: Tx | Db, verificationIds: readonly string[]): Promise<EntryRow[]>
  /** Lists entries, the newest first. */
  history(verificationId: string, page: { limit: number; cursor?: string | undefined }): Promise<EntryRow[]>
}

export function createEntryStore({
  database,
  clock,
  makeId,
}: {
  database: Db
  clock: Clock
  makeId: IdMaker
}): EntryStore {
  return {
    write: (tx, { verificationId, person, deed, entryId = makeId('entry') }) =>
      tx
        .insertInto('review_entries')
        .values({
          decision: null,
          artifact: null,
          problem: null,
          note: null,
          ...deed,
          entry_id: entryId,
          verification_id: verificationId,
          key_id: person.keyId,
          reviewer: person.reviewer,
          vouched: person.isVouched,
          created_at: new Date(clock.nowMs()),
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
    votesIn: (tx, verificationIds) =>
      tx
        .selectFrom('review_entries')
        .where('verification_id', '=', sql<string>`any (${verificationIds}::text[])`)
        .where('type', '=', 'vote')
        .selectAll()
        .orderBy('entry_id')
        .execute(),
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
