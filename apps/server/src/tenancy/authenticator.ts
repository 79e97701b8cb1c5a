import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Authenticator, PageAuthenticator } from '@vaani/service-kit/http/authenticator'
import type { Principal } from '@vaani/service-kit/http/principal'
import { LRUCache } from 'lru-cache'
import { hashApiKey } from './api-key.ts'
import { findKey, type KeyOfCaller } from './key-rows.ts'
import { scopesOf } from './role-scopes.ts'

/** @param isOwn whether the process makes the request itself */
export type LimitCaller = (principal: Principal, isOwn: boolean) => Principal

/** Finds the working key that a secret stands for; undefined if there is none. */
export type FindKey = (secret: string) => Promise<KeyOfCaller | undefined>

/** Authenticates by one kind of secret, and remembers for some seconds whom it found. */
export interface SecretAuthenticator extends Pick<Authenticator, 'authenticate' | 'knows'> {
  /** Drops a secret from the cache, so that its end applies at once in this process. */
  forget(secret: string): void
}

export interface AccountAuthenticator extends Authenticator {
  /** Drops an account from the cache, so that changes apply at once in this process. */
  forgetAccount(accountId: string): void
  /** Passes every caller from now on through a function that may limit or refuse it. */
  limitBy(limit: LimitCaller): void
  /** Limits an account on whose behalf this process makes a request itself, or refuses it. */
  limitOwn(principal: Principal): Principal
  /** Authenticates by another kind of secret, with the same limits. */
  acceptOthers(find: FindKey): SecretAuthenticator
  /** Serves pages from now on. */
  servePages(pages: PageAuthenticator): void
}

/** How long another process may still accept a revoked key. */
const CACHE_MS = 5000
const CACHE_ENTRIES = 10_000

export function createAuthenticator(options: { database: Db; clock: Clock }): AccountAuthenticator {
  const { database, clock } = options
  let limit: LimitCaller = (principal) => principal
  let pages: PageAuthenticator | null = null
  const caches: PrincipalCache[] = []
  function accept(find: FindKey): SecretAuthenticator {
    const cache = createCache(clock)
    caches.push(cache)
    return authenticateBy(find, { cache, limit: (principal) => limit(principal, false) })
  }
  const keys = accept((key) => findKey(database, hashApiKey(key)))
  return {
    ...keys,
    get pages() {
      return pages
    },
    servePages: (given) => void (pages = given),
    acceptOthers: accept,
    limitBy: (given) => void (limit = given),
    limitOwn: (principal) => limit(principal, true),
    forgetAccount(accountId) {
      for (const cache of caches)
        for (const [id, principal] of cache.entries())
          void principal.then(
            (found) => found?.accountId === accountId && cache.delete(id),
            () => cache.delete(id),
          )
    },
  }
}

type PrincipalCache = LRUCache<string, Promise<Principal | null>>

const createCache = (clock: Clock): PrincipalCache =>
  new LRUCache({
    max: CACHE_ENTRIES,
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.nowMs() },
    // Stale entries are reloaded, but still count as known.
    noDeleteOnStaleGet: true,
  })

const memberOf = ({ member_id: id, member_name: name, role }: KeyOfCaller): Principal['member'] =>
  id === null || name === null || role === null ? undefined : { id, name, role }

function authenticateBy(
  find: FindKey,
  { cache, limit }: { cache: PrincipalCache; limit: (principal: Principal) => Principal },
): SecretAuthenticator {
  /** Memory holds no secret. */
  const idOf = (secret: string): string => hashApiKey(secret).toString('base64')

  async function load(secret: string): Promise<Principal | null> {
    const row = await find(secret)
    return row === undefined
      ? null
      : {
          keyId: row.key_id,
          accountId: row.account_id,
          scopes: scopesOf(row),
          tier: row.tier,
          operator: row.operator,
          livemode: row.livemode,
          rateOverrides: row.rate_overrides,
          member: memberOf(row),
        }
  }

  const limited = async (found: Promise<Principal | null>) => {
    const principal = await found
    return principal && limit(principal)
  }

  return {
    knows: (secret) => cache.peek(idOf(secret), { allowStale: true }) !== undefined,
    authenticate(secret) {
      const id = idOf(secret)
      const cached = cache.get(id)
      if (cached) return limited(cached)
      const principal = load(secret)
      cache.set(id, principal)
      const forget = () => {
        if (cache.peek(id, { allowStale: true }) === principal) cache.delete(id)
      }
      // Do not cache unknown secrets, which may be created at any moment, or errors.
      principal.then((found) => found ?? forget(), forget)
      return limited(principal)
    },
    forget: (secret) => void cache.delete(idOf(secret)),
  }
}
