import { createHash, timingSafeEqual } from 'node:crypto'
import { createId } from '@vaani/contracts'
import type { Authenticator } from '@vaani/service-kit/http/authenticator'
import type { Principal } from '@vaani/service-kit/http/principal'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
/** The worker has one account, whose id is the same in every process. */
const FIXED = { nowMs: 0, random: new Uint8Array(10) }

const OPERATOR: Principal = {
  accountId: createId('account', FIXED),
  keyId: createId('key', FIXED),
  scopes: new Set(['admin']),
  tier: 'enterprise',
  operator: true,
  livemode: true,
  rateOverrides: {},
}

/** Accepts the one key of the administration. */
export function createAuthenticator(adminKey: string): Authenticator {
  const expected = digest(adminKey)
  const knows = (key: string): boolean => timingSafeEqual(digest(key), expected)
  return { knows, authenticate: async (key) => (knows(key) ? OPERATOR : null) }
}
