import type { Id } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'
import { type KeyOfCaller, selectKeysOfCallers } from '../../tenancy/key-rows.ts'
import { deleteExpired } from './delete-expired.ts'
import { createSecret, hashOf } from '../../tenancy/secrets.ts'
import './tables.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A session ends after this time without a request. */
const IDLE_MS = 8 * HOUR_MS
/** A session ends this long after it began, whatever was done. */
export const LONGEST_SESSION_MS = 7 * 24 * HOUR_MS
/** More end those that were not used for longest. */
export const SESSIONS_PER_KEY = 100
/** The use of a session is noted this often. */
const NOTED_MS = MINUTE_MS

/** Sessions of the console. Only digests of their secrets are stored. */
export interface SessionStore {
  /** Starts a session that may do what a key may, and returns its secret. */
  start(key: Pick<KeyOfCaller, 'key_id' | 'account_id'>): Promise<string>
  /** Returns the key of a session, and notes that it is used. */
  find(secret: string): Promise<KeyOfCaller | undefined>
  /** Returns the keys of those sessions that have not ended, by their secrets, and notes no use of them. */
  findAll(secrets: readonly string[]): Promise<ReadonlyMap<string, KeyOfCaller>>
  end(secret: string): Promise<void>
  /** Ends all sessions of keys. */
  endAllOf(keyIds: readonly Id<'key'>[]): Promise<void>
  sweep(): Promise<void>
}

export function createSessionStore(options: { database: Db; clock: Clock }): SessionStore {
  const { database, clock } = options
  const after = (ms: number): Date => new Date(clock.nowMs() + ms)

  async function start({ key_id, account_id }: Pick<KeyOfCaller, 'key_id' | 'account_id'>): Promise<string> {
    const secret = createSecret()
    const now = after(0)
    await database
      .insertInto('console_sessions')
      .values({
        secret_hash: hashOf(secret),
        account_id,
        key_id,
        created_at: now,
        used_at: now,
        expires_at: after(LONGEST_SESSION_MS),
      })
      .execute()
    const longestUnused = database
      .selectFrom('console_sessions')
      .where('key_id', '=', key_id)
      .select('secret_hash')
      .orderBy('used_at', 'desc')
      .orderBy('secret_hash')
      .offset(SESSIONS_PER_KEY)
    await database.deleteFrom('console_sessions').where('secret_hash', 'in', longestUnused).execute()
    return secret
  }

  const selectWorking = () =>
    selectKeysOfCallers(database)
      .innerJoin('console_sessions', 'console_sessions.key_id', 'api_keys.key_id')
      .where('expires_at', '>', after(0))
      .where('used_at', '>', after(-IDLE_MS))
      .where(({ or, eb, ref }) =>
        or([
          eb('sessions_since', 'is', null),
          eb('console_sessions.created_at', '>=', ref('sessions_since')),
        ]),
      )

  return {
    start,
    async find(secret) {
      const secretHash = hashOf(secret)
      const key = await selectWorking().where('secret_hash', '=', secretHash).executeTakeFirst()
      if (key !== undefined)
        await database
          .updateTable('console_sessions')
          .set({ used_at: after(0) })
          .where('secret_hash', '=', secretHash)
          .where('used_at', '<', after(-NOTED_MS))
          .execute()
      return key
    },
    async findAll(secrets) {
      const byHash = new Map(secrets.map((secret) => [hashOf(secret).toString('hex'), secret]))
      const keys = await selectWorking()
        .where('secret_hash', '=', sql<Buffer>`any(${secrets.map(hashOf)}::bytea[])`)
        .select('secret_hash')
        .execute()
      return new Map(keys.map((key) => [byHash.get(key.secret_hash.toString('hex')) ?? '', key]))
    },
    async end(secret) {
      await database.deleteFrom('console_sessions').where('secret_hash', '=', hashOf(secret)).execute()
    },
    async endAllOf(keyIds) {
      await database
        .deleteFrom('console_sessions')
        .where('key_id', '=', sql<Id<'key'>>`any(${keyIds}::text[])`)
        .execute()
    },
    sweep: () => deleteExpired(database, 'console_sessions', after(0)),
  }
}
