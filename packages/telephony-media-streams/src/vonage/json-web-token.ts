import { createHash, createHmac, type KeyObject, sign, timingSafeEqual } from 'node:crypto'
import { parseJsonObject, stringOf } from '../provider/json-members.ts'

/** How long a token of ours is good: it is made for one request. */
const LIFETIME_SECONDS = 300
/** How old a webhook may be, and how far in the future, because clocks differ. */
const TOLERANCE_SECONDS = 300

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string) => parseJsonObject(Buffer.from(part, 'base64url').toString('utf8'))

/**
 * Creates the token of one request (RFC 7519), signed by RS256.
 *
 * @see https://developer.vonage.com/en/getting-started/concepts/authentication
 */
export function createToken(options: {
  readonly applicationId: string
  readonly privateKey: KeyObject
  readonly id: string
  readonly epochMs: number
}): string {
  const { applicationId, privateKey, id, epochMs } = options
  const issuedAt = Math.floor(epochMs / 1000)
  const claims = { application_id: applicationId, iat: issuedAt, exp: issuedAt + LIFETIME_SECONDS, jti: id }
  const unsigned = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), privateKey).toString('base64url')}`
}

/**
 * Returns whether the token of a webhook is Vonage's, is new, and is that of the body, which must be JSON: signed by HS256, with the SHA-256 of
 * the body.
 *
 * @see https://developer.vonage.com/en/getting-started/concepts/webhooks
 * @see https://api.support.vonage.com/hc/en-us/articles/19033783342876
 */
export function isSigned(
  secret: string,
  webhook: { readonly token: string; readonly body: string; readonly epochMs: number },
): boolean {
  const [header = '', claims = '', signature = '', ...rest] = webhook.token.split('.', 4)
  // The algorithm is ours to choose, not the sender's.
  if (rest.length > 0 || decode(header)?.['alg'] !== 'HS256') return false
  const expected = createHmac('sha256', secret).update(`${header}.${claims}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  const { iat, payload_hash: hash } = decode(claims) ?? {}
  const isNew = typeof iat === 'number' && Math.abs(webhook.epochMs / 1000 - iat) <= TOLERANCE_SECONDS
  const payload = parseJsonObject(webhook.body)
  return isNew && payload !== undefined && stringOf(hash)?.toLowerCase() === hashOf(JSON.stringify(payload))
}

/** Vonage hashes the JSON of the body without its white space. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
