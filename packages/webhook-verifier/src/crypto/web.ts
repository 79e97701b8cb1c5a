import type { ComputeMac } from './platform.ts'
import { viewBytes } from './platform.ts'

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/** The key is imported at the first use and kept. */
export function prepareMac(secret: Uint8Array): ComputeMac {
  const bytes = secret.slice()
  let importing: ReturnType<typeof crypto.subtle.importKey> | undefined
  return async (prefix, body) => {
    importing ??= crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
    const key = await importing
    const content = typeof body === 'string' ? encoder.encode(prefix + body) : join(prefix, viewBytes(body))
    const mac = await crypto.subtle.sign('HMAC', key, content)
    return btoa(String.fromCharCode(...new Uint8Array(mac)))
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

/** Of texts that are equally long. Looks at every character, so that the time taken does not tell where they differ. */
export function equalText(one: string, other: string): boolean {
  let difference = 0
  for (let index = 0; index < one.length; index += 1)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}

export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

export function hexToBase64(text: string): string {
  return btoa(text.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))))
}

export function base64ToHex(text: string): string {
  return Array.from(decodeBase64(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
