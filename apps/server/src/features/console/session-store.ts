import { hash, randomBytes } from 'node:crypto'
import type { Id } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { type KeyOfCaller, selectKeysOfCallers } from '../../tenancy/key-rows.ts'
import './tables.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A session ends after this time without a request. */
const IDLE_MS = 8 * HOUR_MS
/** A session ends this long after it began, whatever was done. */
export const LONGEST_SESSION_MS = 7 * 24 * HOUR_MS
/** How long a link to the console works, once. */
export const LINK_MS = 10 * MINUTE_MS
/** The use of a session is noted this often. */
const NOTED_MS = MINUTE_MS

const SECRET_BYTES = 32
const createSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')
const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** The start of a session: its secret, and the key for which it stands. */
export interface StartedSession {
  secret: string
  key: KeyOfCaller
}

/** Sessions of the console. Only digests of their secrets are stored. */
export interface SessionStore {
  /** Starts a session that may do what a key may. */
  start(key: Pick<KeyOfCaller, 'key_id' | 'account_id'>): Promise<string>
  /** Returns the key of a session, and notes that it is used. */
  find(secret: string): Promise<KeyOfCaller | undefined>
  end(secret: string): Promise<void>
  /** Ends all sessions of a key. */
  endAllOf(keyId: Id<'key'>): Promise<void>
  /** Creates the secret of a link that starts a session, for the newest working test key of an operator; null without one. */
  createLink(): Promise<string | null>
  /** Starts the session of a link, which works once. */
  follow(link: string): Promise<StartedSession | undefined>
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
    return secret
  }

  return {
    start,
    async find(secret) {
      const secretHash = hashOf(secret)
      const key = await selectKeysOfCallers(database)
        .innerJoin('console_sessions', 'console_sessions.key_id', 'api_keys.key_id')
        .where('secret_hash', '=', secretHash)
        .where('expires_at', '>', after(0))
        .where('used_at', '>', after(-IDLE_MS))
        .executeTakeFirst()
      if (key !== undefined)
        await database
          .updateTable('console_sessions')
          .set({ used_at: after(0) })
          .where('secret_hash', '=', secretHash)
          .where('used_at', '<', after(-NOTED_MS))
          .execute()
      return key
    },
    async end(secret) {
      await database.deleteFrom('console_sessions').where('secret_hash', '=', hashOf(secret)).execute()
    },
    async endAllOf(keyId) {
      await database.deleteFrom('console_sessions').where('key_id', '=', keyId).execute()
    },
    async createLink() {
      const key = await selectKeysOfCallers(database)
        .where('operator', '=', true)
        .where('api_keys.livemode', '=', false)
        .orderBy('api_keys.key_id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (key === undefined) return null
      const secret = createSecret()
      await database
        .insertInto('console_links')
        .values({ secret_hash: hashOf(secret), key_id: key.key_id, expires_at: after(LINK_MS) })
        .execute()
      return secret
    },
    async follow(link) {
      const used = await database
        .deleteFrom('console_links')
        .where('secret_hash', '=', hashOf(link))
        .returning(['key_id', 'expires_at'])
        .executeTakeFirst()
      if (used === undefined || used.expires_at <= after(0)) return undefined
      const key = await selectKeysOfCallers(database)
        .where('api_keys.key_id', '=', used.key_id)
        .executeTakeFirst()
      return key && { key, secret: await start(key) }
    },
    async sweep() {
      await database.deleteFrom('console_sessions').where('expires_at', '<=', after(0)).execute()
      await database.deleteFrom('console_links').where('expires_at', '<=', after(0)).execute()
    },
  }
}
