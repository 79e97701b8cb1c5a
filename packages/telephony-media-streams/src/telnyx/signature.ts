import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** How old a callback may be, and how far in the future, because clocks differ. */
const TOLERANCE_SECONDS = 300
/** Length of a public key (RFC 8032, section 5.1.5). */
const KEY_BYTES = 32

/** Reads a public key of Ed25519 in base64. @throws TypeError if it is none */
export function readPublicKey(text: string): KeyObject {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== KEY_BYTES) throw new TypeError('`publicKey` must be 32 bytes in base64')
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  })
}

/**
 * Returns whether Telnyx signed the callback, and did so lately. The signature covers the time and the body, and not the URL.
 *
 * @see https://developers.telnyx.com/docs/development/api-fundamentals/webhooks
 */
export function isSigned(
  publicKey: KeyObject,
  callback: {
    readonly timestamp: string
    readonly signature: string
    readonly body: string
    readonly epochMs: number
  },
): boolean {
  const { timestamp, signature, body, epochMs } = callback
  if (!/^\d{1,12}$/.test(timestamp)) return false
  const ageSeconds = epochMs / 1000 - Number(timestamp)
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) return false
  return verify(null, Buffer.from(`${timestamp}|${body}`), publicKey, Buffer.from(signature, 'base64'))
}
