import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { findOperator } from '../../tenancy/account-rows.ts'
import { type KeyOfCaller, selectKeysOfCallers } from '../../tenancy/key-rows.ts'
import { deleteExpired } from './delete-expired.ts'
import { createSecret, hashOf } from '../../tenancy/secrets.ts'
import './tables.ts'

/** How long a link to the console works, once. */
const LINK_MS = 10 * 60_000

/** Links that start a session. Only digests of their secrets are stored. */
export interface LinkStore {
  /** Creates a link for the newest working test key of the first operator, and returns its secret; null without such a key. */
  create(): Promise<string | null>
  /** Uses a link up, and returns the key for which it stands, if it still works. */
  follow(secret: string): Promise<KeyOfCaller | undefined>
  sweep(): Promise<void>
}

export function createLinkStore({ database, clock }: { database: Db; clock: Clock }): LinkStore {
  const after = (ms: number): Date => new Date(clock.nowMs() + ms)
  return {
    async create() {
      const operatorId = await findOperator(database)
      if (operatorId === undefined) return null
      const key = await selectKeysOfCallers(database)
        .where('api_keys.account_id', '=', operatorId)
        .where('api_keys.livemode', '=', false)
        .where('api_keys.member_id', 'is', null)
        .orderBy('api_keys.account_id')
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
    async follow(secret) {
      const used = await database
        .deleteFrom('console_links')
        .where('secret_hash', '=', hashOf(secret))
        .returning(['key_id', 'expires_at'])
        .executeTakeFirst()
      if (used === undefined || used.expires_at <= after(0)) return undefined
      return selectKeysOfCallers(database).where('api_keys.key_id', '=', used.key_id).executeTakeFirst()
    },
    sweep: () => deleteExpired(database, 'console_links', after(0)),
  }
}
