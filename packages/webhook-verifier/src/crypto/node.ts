import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { ComputeMac, Encoding } from './platform.ts'
import { viewBytes } from './platform.ts'

const MAC_BYTES = 32

/** Prepares a `KeyObject` once: from bytes, Node prepares the key for each HMAC, five times the cost of a small body. */
export function prepareMac(secret: Uint8Array): ComputeMac {
  const key = createSecretKey(secret)
  return (prefix, body) => {
    const hmac = createHmac('sha256', key)
    if (prefix !== '') hmac.update(prefix)
    const content = typeof body === 'string' || body instanceof Uint8Array ? body : viewBytes(body)
    return hmac.update(content).digest('binary')
  }
}

/** Reused, because allocating two buffers would cost a tenth of a verification. */
const computed = Buffer.alloc(MAC_BYTES)
const claimed = Buffer.alloc(MAC_BYTES)

/** Compares in constant time. */
export function isSignature(text: string, encoding: Encoding, mac: string): boolean {
  return (
    claimed.write(text, encoding) === MAC_BYTES &&
    computed.write(mac, 'binary') === MAC_BYTES &&
    timingSafeEqual(claimed, computed)
  )
}

export function encode(mac: string, encoding: Encoding): string {
  return Buffer.from(mac, 'binary').toString(encoding)
}

export function decodeBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}
