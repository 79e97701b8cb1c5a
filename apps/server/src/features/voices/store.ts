import { LIMITS } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { inTransaction, type Queryable } from '@vaani/service-kit/database/transaction'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type Insertable, sql } from 'kysely'
import type { Pool } from 'pg'
import type { VoiceRow, VoiceTable } from './tables.ts'

export interface VoiceStore {
  /** Counts voices that are not erased, up to the limit. */
  count(tenant: Tenant): Promise<number>
  /** Writes a voice whose recordings are about to be stored; false if the tenant has too many. */
  begin(row: Insertable<VoiceTable>): Promise<boolean>
  /** Makes the voice ready, and runs `within`, in one transaction. */
  finish(voiceId: string, voice: Buffer, within: (client: Queryable) => Promise<void>): Promise<void>
  list(tenant: Tenant, page: { limit: number; cursor?: string | undefined }): Promise<VoiceRow[]>
  /** Erases a ready voice except for its recordings, and runs `within`, in one transaction; undefined if there is none. */
  erase(
    tenant: Tenant,
    voiceId: string,
    within: (tx: Tx) => Promise<void>,
  ): Promise<Pick<VoiceRow, 'voice_id' | 'recordings'> | undefined>
  /** Gives up voices that were never ready, of requests that have failed. */
  giveUp(voiceIds: readonly string[]): Promise<void>
  /** Lists voices whose recordings are to be removed, giving up those of requests that have crashed. */
  listErased(limit: number): Promise<Pick<VoiceRow, 'voice_id' | 'recordings'>[]>
  /** Deletes a row whose recordings are gone. */
  forget(voiceId: string): Promise<void>
}

/** Longer than any request takes to store its recordings. */
const STORING_MS = 3_600_000

const ERASED = { state: 'erased', data_key: null, voice: null, name: '', language: null } as const

export function createVoiceStore({
  pool,
  database,
  clock,
}: {
  pool: Pool
  database: Db
  clock: Clock
}): VoiceStore {
  return {
    count: (tenant) => count(database, tenant),
    begin: (row) =>
      database.transaction().execute(async (tx) => {
        // Locks the account, so the limit is exact under concurrent requests.
        await sql`select pg_advisory_xact_lock(hashtextextended(${row.account_id}, 5))`.execute(tx)
        const tenant = { accountId: row.account_id, livemode: row.livemode }
        if ((await count(tx, tenant)) >= LIMITS.voicesPerAccount) return false
        await tx.insertInto('voices').values(row).execute()
        return true
      }),
    finish: (voiceId, voice, within) =>
      inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(
          `update voices set state = 'ready', voice = $2 where voice_id = $1 and state = 'storing'`,
          [voiceId, voice],
        )
        if (rowCount !== 1) throw new Error('The voice was given up while it was stored')
        await within(client)
      }),
    list({ accountId, livemode }, { limit, cursor }) {
      let query = database
        .selectFrom('voices')
        .where('account_id', '=', anyOf(accountId))
        .where('livemode', '=', livemode)
        .where('state', '=', 'ready')
        .selectAll()
      if (cursor !== undefined) query = query.where('voice_id', '<', cursor)
      return query.orderBy('account_id').orderBy('voice_id', 'desc').limit(limit).execute()
    },
    erase: ({ accountId, livemode }, voiceId, within) =>
      database.transaction().execute(async (tx) => {
        const row = await tx
          .updateTable('voices')
          .set(ERASED)
          .where('voice_id', '=', voiceId)
          .where('account_id', '=', accountId)
          .where('livemode', '=', livemode)
          .where('state', '=', 'ready')
          .returning(['voice_id', 'recordings'])
          .executeTakeFirst()
        if (row !== undefined) await within(tx)
        return row
      }),
    giveUp: (voiceIds) => giveUp(database, voiceIds),
    async listErased(limit) {
      // Only these words are those of the index.
      const left = (tx: Tx, state: 'storing' | 'erased') =>
        tx.selectFrom('voices').where('state', '<>', 'ready').where('state', '=', state).limit(limit)
      const storedBefore = new Date(clock.nowMs() - STORING_MS)
      const abandoned = await byIndex(database, (tx) =>
        left(tx, 'storing').where('created_at', '<', storedBefore).select('voice_id').execute(),
      )
      await giveUp(
        database,
        abandoned.map(({ voice_id }) => voice_id),
      )
      return byIndex(database, (tx) => left(tx, 'erased').select(['voice_id', 'recordings']).execute())
    },
    async forget(voiceId) {
      await database
        .deleteFrom('voices')
        .where('voice_id', '=', voiceId)
        .where('state', '=', 'erased')
        .execute()
    },
  }
}

async function count(tx: Db, { accountId, livemode }: Tenant): Promise<number> {
  const rows = await tx
    .selectFrom('voices')
    .where('account_id', '=', anyOf(accountId))
    .where('livemode', '=', livemode)
    .where('state', '<>', 'erased')
    .select('voice_id')
    .orderBy('account_id')
    .orderBy('voice_id', 'desc')
    .limit(LIMITS.voicesPerAccount)
    .execute()
  return rows.length
}

async function giveUp(database: Db, voiceIds: readonly string[]): Promise<void> {
  await database
    .updateTable('voices')
    .set(ERASED)
    .where('voice_id', '=', sql<string>`any (${voiceIds}::text[])`)
    .where('state', '=', 'storing')
    .execute()
}
