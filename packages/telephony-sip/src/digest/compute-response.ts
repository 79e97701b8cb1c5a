import { hashWith, isSession, type DigestAlgorithm } from './algorithms.ts'
import type { Qop } from './challenge.ts'

export interface DigestInput {
  readonly algorithm: DigestAlgorithm
  readonly username: string
  readonly realm: string
  readonly password: string
  readonly nonce: string
  /** Undefined: as in RFC 2069. */
  readonly qop: Qop | undefined
  /** Eight hexadecimal digits. Counts only with a qop. */
  readonly nonceCount: string
  /** Counts only with a qop, or in a session. */
  readonly clientNonce: string
  readonly method: string
  readonly uri: string
  readonly body: Uint8Array
}

/** Computes the response of a Digest answer (RFC 7616, 3.4.1 to 3.4.3): lower-case hexadecimal. */
export const computeResponse = (input: DigestInput): string => {
  const { algorithm, nonce, qop, nonceCount, clientNonce } = input
  const hash = (data: string | Uint8Array) => hashWith(algorithm, data)
  const userKey = hash(`${input.username}:${input.realm}:${input.password}`)
  const key = isSession(algorithm) ? hash(`${userKey}:${nonce}:${clientNonce}`) : userKey
  const bodyPart = qop === 'auth-int' ? `:${hash(input.body)}` : ''
  const request = hash(`${input.method}:${input.uri}${bodyPart}`)
  return qop === undefined
    ? hash(`${key}:${nonce}:${request}`)
    : hash(`${key}:${nonce}:${nonceCount}:${clientNonce}:${qop}:${request}`)
}
