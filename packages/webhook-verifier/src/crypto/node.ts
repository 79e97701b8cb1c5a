import { createHmac, createSecretKey } from 'node:crypto'
import type { ComputeMac, Encoding } from './platform.ts'
import { viewBytes } from './platform.ts'

export { timingSafeEqual as equalBytes } from 'node:crypto'

/** A `KeyObject`, as Node prepares a key given as bytes anew at each HMAC, which costs five times a small body. */
export function prepareMac(secret: Uint8Array): ComputeMac {
  const key = createSecretKey(secret)
  return (prefix, body) => {
    const hmac = createHmac('sha256', key)
    if (prefix !== '') hmac.update(prefix)
    return hmac.update(typeof body === 'string' ? body : viewBytes(body)).digest()
  }
}

export function decode(text: string, encoding: Encoding): Uint8Array {
  return Buffer.from(text, encoding)
}

export function encode(bytes: Uint8Array, encoding: Encoding): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding)
}
