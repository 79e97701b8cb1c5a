import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { ComputeMac } from './platform.ts'
import { viewBytes } from './platform.ts'

/**
 * A `KeyObject`, as Node prepares a key given as bytes anew at each HMAC, which costs five times a small body. In text,
 * as Node is slower to make a `Buffer` for a digest.
 */
export function prepareMac(secret: Uint8Array): ComputeMac {
  const key = createSecretKey(secret)
  return (prefix, body) => {
    const hmac = createHmac('sha256', key)
    if (prefix !== '') hmac.update(prefix)
    return hmac.update(typeof body === 'string' ? body : viewBytes(body)).digest('base64')
  }
}

/** Of texts that are equally long. The time taken does not tell where they differ. */
export function equalText(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

export function decodeBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}

export function hexToBase64(text: string): string {
  return Buffer.from(text, 'hex').toString('base64')
}

export function base64ToHex(text: string): string {
  return Buffer.from(text, 'base64').toString('hex')
}
