import { timingSafeEqual } from 'node:crypto'
import { SipParseError } from '../message/sip-parse-error.ts'
import { algorithmNamed } from './algorithms.ts'
import { parseAuthValues } from './auth-parameters.ts'
import type { Challenge } from './challenge.ts'
import { computeResponse } from './compute-response.ts'

export interface VerifyRequest {
  /** Value of Authorization or Proxy-Authorization. */
  readonly value: string
  /** The challenge that we sent. */
  readonly challenge: Challenge
  readonly method: string
  /** Request-URI, as it stands on the line. */
  readonly uri: string
  readonly body: Uint8Array
  readonly username: string
  readonly password: string
}

const readAnswer = (value: string): ReadonlyMap<string, string> | undefined => {
  try {
    const [answer, ...others] = parseAuthValues(value)
    const isDigest = answer?.scheme.toLowerCase() === 'digest' && others.length === 0
    return isDigest ? answer.parameters : undefined
  } catch (error) {
    if (error instanceof SipParseError) return undefined
    throw error
  }
}

const equals = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Checks the answer to a challenge, comparing in constant time.
 * @returns its nonce count, which must exceed that of each earlier request with the nonce (0 without qop, which leaves replays undetected);
 * undefined if the answer is wrong
 */
export const verifyAnswer = (request: VerifyRequest): { readonly nonceCount: number } | undefined => {
  const { challenge, username, password, method, uri, body } = request
  const answer = readAnswer(request.value)
  if (answer === undefined) return undefined
  const { realm, nonce, algorithm, opaque } = challenge
  const written = answer.get('qop')?.toLowerCase()
  const qop = challenge.qop.find((option) => option === written)
  const nonceCount = answer.get('nc') ?? ''
  const clientNonce = answer.get('cnonce') ?? ''
  const isForChallenge =
    answer.get('username') === username &&
    answer.get('realm') === realm &&
    answer.get('nonce') === nonce &&
    answer.get('uri') === uri &&
    answer.get('opaque') === opaque &&
    algorithmNamed(answer.get('algorithm') ?? 'MD5') === algorithm
  // An answer may not fall back to none if the challenge asked for protection.
  const isProtected =
    challenge.qop.length === 0
      ? written === undefined
      : qop !== undefined && /^[0-9a-f]{8}$/i.test(nonceCount) && clientNonce !== ''
  if (!isForChallenge || !isProtected) return undefined
  const expected = computeResponse({
    algorithm,
    username,
    realm,
    password,
    nonce,
    qop,
    nonceCount,
    clientNonce,
    method,
    uri,
    body,
  })
  if (!equals(expected, answer.get('response')?.toLowerCase() ?? '')) return undefined
  return { nonceCount: qop === undefined ? 0 : Number.parseInt(nonceCount, 16) }
}
