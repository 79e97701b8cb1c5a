import type { ComputeMac, Encoding } from './platform.ts'
import { viewBytes } from './platform.ts'

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/** The key is imported at the first use and kept. */
export function prepareMac(secret: Uint8Array): ComputeMac {
  const bytes = secret.slice()
  let importing: ReturnType<typeof crypto.subtle.importKey> | undefined
  return async (prefix, body) => {
    importing ??= crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
    const content = typeof body === 'string' ? encoder.encode(prefix + body) : join(prefix, viewBytes(body))
    return new Uint8Array(await crypto.subtle.sign('HMAC', await importing, content))
  }
}

/** WebCrypto takes an HMAC's input in one piece, and none that is shared between threads. */
function join(prefix: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  if (prefix === '' && isUnshared(body)) return body
  const start = encoder.encode(prefix)
  const joined = new Uint8Array(start.length + body.length)
  joined.set(start)
  joined.set(body, start.length)
  return joined
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return Object.prototype.toString.call(bytes.buffer) === '[object ArrayBuffer]'
}

/** Looks at every byte, so that the time taken does not tell where two differ. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0)
  return difference === 0
}

export function decode(text: string, encoding: Encoding): Uint8Array {
  const binary =
    encoding === 'base64'
      ? atob(text)
      : text.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

export function encode(bytes: Uint8Array, encoding: Encoding): string {
  return encoding === 'base64'
    ? btoa(String.fromCharCode(...bytes))
    : Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
