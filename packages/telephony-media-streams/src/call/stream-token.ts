import { createHash, timingSafeEqual } from 'node:crypto'

/** A secret that the media stream of one call must show. It is good once, and for a time. */
export interface StreamToken {
  readonly value: string
  /** Returns whether this is the token. Afterwards it is none any more. A wrong guess changes nothing. */
  redeem(candidate: string, nowMs: number): boolean
}

const SECRET_BYTES = 32

const hash = (text: string) => createHash('sha256').update(text).digest()

/** Creates a token. `reference` is a public part, by which the call is found. */
export function createStreamToken(options: {
  readonly reference: string
  readonly randomBytes: (size: number) => Buffer
  readonly expiresAtMs: number
}): StreamToken {
  const { reference, randomBytes, expiresAtMs } = options
  const value = `${reference}.${randomBytes(SECRET_BYTES).toString('base64url')}`
  const expected = hash(value)
  let isUsed = false
  return {
    value,
    redeem(candidate, nowMs) {
      // Hashes are equally long, and are compared in constant time.
      const isEqual = timingSafeEqual(hash(candidate), expected)
      if (!isEqual || isUsed || nowMs >= expiresAtMs) return false
      isUsed = true
      return true
    },
  }
}

/** Returns the public part of a token. */
export const referenceOf = (token: string): string => token.split('.', 1)[0] ?? ''
