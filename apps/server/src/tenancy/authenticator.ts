import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Authenticator } from '@vaani/service-kit/http/authenticator'
import type { Principal } from '@vaani/service-kit/http/principal'
import { LRUCache } from 'lru-cache'
import { hashApiKey } from './api-key.ts'

/** @param isOwn whether the process makes the request itself */
export type LimitCaller = (principal: Principal, isOwn: boolean) => Principal

export interface AccountAuthenticator extends Authenticator {
  /** Drops an account from the cache, so that changes apply at once in this process. */
  forgetAccount(accountId: string): void
  /** Passes every caller from now on through a function that may limit or refuse it. */
  limitBy(limit: LimitCaller): void
  /** Limits an account on whose behalf this process makes a request itself, or refuses it. */
  limitOwn(principal: Principal): Principal
}

/** How long another process may still accept a revoked key. */
const CACHE_MS = 5000
const CACHE_ENTRIES = 10_000

export function createAuthenticator(options: { database: Db; clock: Clock }): AccountAuthenticator {
  const { database, clock } = options
  const cache = new LRUCache<string, Promise<Principal | null>>({
    max: CACHE_ENTRIES,
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.nowMs() },
    // Stale entries are reloaded, but still count as known.
    noDeleteOnStaleGet: true,
  })

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

  let limit: LimitCaller = (principal) => principal
  const limited = async (found: Promise<Principal | null>) => {
    const principal = await found
    return principal && limit(principal, false)
  }

  const idOf = (hash: Buffer): string => hash.toString('base64')

  return {
    knows: (key) => cache.peek(idOf(hashApiKey(key)), { allowStale: true }) !== undefined,
    authenticate(key) {
      const hash = hashApiKey(key)
      const id = idOf(hash)
      const cached = cache.get(id)
      if (cached) return limited(cached)
      const principal = load(hash)
      cache.set(id, principal)
      const forget = () => {
        if (cache.peek(id, { allowStale: true }) === principal) cache.delete(id)
      }
      // Do not cache unknown keys, which may be created at any moment, or errors.
      principal.then((found) => found ?? forget(), forget)
      return limited(principal)
    },
    limitBy: (given) => void (limit = given),
    limitOwn: (principal) => limit(principal, true),
    forgetAccount(accountId) {
      for (const [id, principal] of cache.entries())
        void principal.then(
          (found) => found?.accountId === accountId && cache.delete(id),
          () => cache.delete(id),
        )
    },
  }
}
