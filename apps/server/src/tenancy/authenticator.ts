import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Authenticator } from '@vaani/service-kit/http/authenticator'
import type { Principal } from '@vaani/service-kit/http/principal'
import { hashApiKey } from './api-key.ts'

export interface AccountAuthenticator extends Authenticator {
  /** Forgets what is cached of an account, so that a change counts at once in this process. */
  forgetAccount(accountId: string): void
}

/** How long another process may still accept a key after it was revoked. */
const CACHE_MS = 5000
const CACHE_ENTRIES = 10_000

export function createAuthenticator(options: { database: Db; clock: Clock }): AccountAuthenticator {
  const { database, clock } = options
  const cache = new Map<string, { principal: Promise<Principal | null>; expiresAtMs: number }>()

  async function load(hash: Buffer): Promise<Principal | null> {
    const row = await database
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.account_id', 'api_keys.account_id')
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .select(['key_id', 'api_keys.account_id', 'scopes', 'tier', 'operator', 'livemode', 'rate_overrides'])
      .executeTakeFirst()
    return row === undefined
      ? null
      : {
          keyId: row.key_id,
          accountId: row.account_id,
          scopes: new Set(row.scopes),
          tier: row.tier,
          operator: row.operator,
          livemode: row.livemode,
          rateOverrides: row.rate_overrides,
        }
  }

  const idOf = (hash: Buffer): string => hash.toString('base64')

  return {
    knows: (key) => cache.has(idOf(hashApiKey(key))),
    authenticate(key) {
      const hash = hashApiKey(key)
      const id = idOf(hash)
      const nowMs = clock.nowMs()
      const cached = cache.get(id)
      if (cached && cached.expiresAtMs > nowMs) return cached.principal
      const entry = { principal: load(hash), expiresAtMs: nowMs + CACHE_MS }
      cache.delete(id)
      cache.set(id, entry)
      if (cache.size > CACHE_ENTRIES) for (const oldest of cache.keys()) if (cache.delete(oldest)) break
      const forget = () => {
        if (cache.get(id) === entry) cache.delete(id)
      }
      // A key that is unknown now may be created in the next moment, and a fault must not be remembered.
      entry.principal.then((principal) => principal ?? forget(), forget)
      return entry.principal
    },
    forgetAccount(accountId) {
      for (const [id, entry] of cache)
        void entry.principal.then(
          (principal) => principal?.accountId === accountId && cache.delete(id),
          () => cache.delete(id),
        )
    },
  }
}
