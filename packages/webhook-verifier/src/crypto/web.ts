import type { ComputeMac, Encoding } from './platform.ts'
import { viewBytes } from './platform.ts'

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/** Imports the key on first use and keeps it. */
export function prepareMac(secret: Uint8Array): ComputeMac {
  const bytes = secret.slice()
  let importing: ReturnType<typeof crypto.subtle.importKey> | undefined
  return async (prefix, body) => {
    importing ??= crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
    const key = await importing
    const content = typeof body === 'string' ? encoder.encode(prefix + body) : join(prefix, viewBytes(body))
    const mac = await crypto.subtle.sign('HMAC', key, content)
    // Spreading the bytes instead would call an iterator once per byte and take six times as long.
    return Reflect.apply(String.fromCharCode, undefined, new Uint8Array(mac))
  }
}

/** Joins the two because WebCrypto takes an HMAC's input in one piece. */
function join(prefix: string, body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!prefix) return body
  const start = encoder.encode(prefix)
  const joined = new Uint8Array(start.length + body.length)
  joined.set(start)
  joined.set(body, start.length)
  return joined
}

/** Compares every byte, so that the time taken does not reveal where the two differ. */
export function isSignature(text: string, encoding: Encoding, mac: string): boolean {
  const claimed = encoding === 'base64' ? atob(text) : decodeHex(text)
  let difference = claimed.length ^ mac.length
  for (let index = 0; index < mac.length; index += 1)
    difference |= claimed.charCodeAt(index) ^ mac.charCodeAt(index)
  return difference === 0
}

function decodeHex(text: string): string {
  let decoded = ''
  for (let index = 0; index < text.length; index += 2)
    decoded += String.fromCharCode(16 * readDigit(text, index) + readDigit(text, index + 1))
  return decoded
}

/** The low four bits of 0–9 are their value. Those of a–f are 1 to 6; only letters have bit 6 set, which adds 9. */
function readDigit(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return (code & 15) + 9 * (code >> 6)
}

export function encode(mac: string, encoding: Encoding): string {
  return encoding === 'base64'
    ? btoa(mac)
    : Array.from(mac, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))
}
