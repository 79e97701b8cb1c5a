import type { SrtpKey } from './description.ts'
import { parseDecimal } from './read-sections.ts'

/** 16 bytes of key and 14 of salt in base64 (RFC 4568, 6.1). */
const KEY_PATTERN = /^[A-Za-z0-9+\/]{40}$/v
/**
 * Fewest packets that a key must last, because we never change it during a call: at 50 packets per second, these are
 * almost six hours.
 */
const LEAST_LIFETIME_LOG2 = 20
const LONGEST_LIFETIME_LOG2 = 48

function isLongEnough(lifetime: string): boolean {
  if (lifetime.startsWith('2^')) {
    const exponent = parseDecimal(lifetime.slice(2), LONGEST_LIFETIME_LOG2)
    return exponent !== undefined && exponent >= LEAST_LIFETIME_LOG2
  }
  return /^\d{1,15}$/v.test(lifetime) && Number(lifetime) >= 2 ** LEAST_LIFETIME_LOG2
}

const suiteOf = (name: string): SrtpKey['suite'] | undefined =>
  name === 'AES_CM_128_HMAC_SHA1_80' || name === 'AES_CM_128_HMAC_SHA1_32' ? name : undefined

/**
 * Parses the value of a=crypto (RFC 4568, 9.1). Returns undefined if it is malformed or beyond what we support: other suites, a
 * master key identifier, several keys, a short key lifetime, and session parameters that change the protection.
 */
export function parseCrypto(value: string): SrtpKey | undefined {
  const [tagText = '', suiteName = '', keyParameter = '', ...sessionParameters] = value.split(/[ \t]+/v)
  const tag = parseDecimal(tagText, 999_999_999)
  const suite = suiteOf(suiteName)
  const method = 'inline:'
  if (tag === undefined || suite === undefined || !keyParameter.startsWith(method)) return undefined
  const [key = '', lifetime, ...identifier] = keyParameter.slice(method.length).split('|')
  if (!KEY_PATTERN.test(key) || identifier.length > 0) return undefined
  if (lifetime !== undefined && !isLongEnough(lifetime)) return undefined
  // A window size hint is only a hint (6.3.6).
  if (!sessionParameters.every((parameter) => parameter === '' || parameter.startsWith('WSH=')))
    return undefined
  return { tag, suite, keyAndSalt: Uint8Array.from(Buffer.from(key, 'base64')) }
}

/** Writes the value of a=crypto. The key lasts as long as the suite allows. */
export const writeCrypto = ({ tag, suite, keyAndSalt }: SrtpKey): string =>
  `${tag} ${suite} inline:${Buffer.from(keyAndSalt).toString('base64')}`
