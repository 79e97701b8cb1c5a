import { createCipheriv, createHmac } from 'node:crypto'

/** Labels of key derivation (RFC 3711, 4.3.1 and 4.3.2). */
const LABELS = {
  rtp: { cipher: 0, authentication: 1, salt: 2 },
  rtcp: { cipher: 3, authentication: 4, salt: 5 },
} as const

const KEY_BYTES = 16
const SALT_BYTES = 14
const AUTHENTICATION_KEY_BYTES = 20

/** Keys of one direction of RTP or RTCP. */
export interface SessionKeys {
  readonly cipher: Uint8Array
  readonly authentication: Uint8Array
  readonly salt: Uint8Array
}

/** Returns bytes of the keystream of AES-128 in counter mode (RFC 3711, 4.1.1) over the data. */
export const applyCounterMode = (key: Uint8Array, counter: Uint8Array, data: Uint8Array): Uint8Array =>
  createCipheriv('aes-128-ctr', key, counter).update(data)

/** Returns the first bytes of the HMAC-SHA1 of both parts. */
export function authenticationTag(key: Uint8Array, parts: readonly Uint8Array[], length: number): Uint8Array {
  const hmac = createHmac('sha1', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest().subarray(0, length)
}

/** Derives the keys of a session from a master key and salt (RFC 3711, 4.3), at a key derivation rate of 0. */
export function deriveSessionKeys(keyAndSalt: Uint8Array, kind: 'rtp' | 'rtcp'): SessionKeys {
  const masterKey = keyAndSalt.subarray(0, KEY_BYTES)
  const derive = (label: number, length: number): Uint8Array => {
    const counter = new Uint8Array(16)
    counter.set(keyAndSalt.subarray(KEY_BYTES, KEY_BYTES + SALT_BYTES))
    // The label lies above 48 bits of index, at the end of the salt.
    counter[SALT_BYTES - 7] = (counter[SALT_BYTES - 7] ?? 0) ^ label
    return applyCounterMode(masterKey, counter, new Uint8Array(length))
  }
  const { cipher, authentication, salt } = LABELS[kind]
  return {
    cipher: derive(cipher, KEY_BYTES),
    authentication: derive(authentication, AUTHENTICATION_KEY_BYTES),
    salt: derive(salt, SALT_BYTES),
  }
}

/** Returns the first counter of a packet (RFC 3711, 4.1.1). */
export function packetCounter(salt: Uint8Array, ssrc: number, index: number): Uint8Array {
  const counter = new Uint8Array(16)
  counter.set(salt)
  const mix = (at: number, value: number) => {
    counter[at] = (counter[at] ?? 0) ^ value
  }
  for (let byte = 0; byte < 4; byte++) mix(4 + byte, (ssrc >>> (24 - 8 * byte)) & 0xff)
  // The index has 48 bits.
  const high = Math.floor(index / 0x1_00_00_00_00)
  mix(8, high >>> 8)
  mix(9, high & 0xff)
  for (let byte = 0; byte < 4; byte++) mix(10 + byte, (index >>> (24 - 8 * byte)) & 0xff)
  return counter
}
