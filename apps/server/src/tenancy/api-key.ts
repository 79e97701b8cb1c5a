import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const SECRET_BYTES = 20
const CHECK_LENGTH = 6
const HINT_LENGTH = 12

function toBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0x1fff
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET.charAt((value >> (bits - 5)) & 31)
  }
  return text
}

function checkSuffix(text: string): string {
  let sum = crc32(text)
  let suffix = ''
  for (let digit = 0; digit < CHECK_LENGTH; digit++) {
    suffix = ALPHABET.charAt(sum & 31) + suffix
    sum >>>= 5
  }
  return suffix
}

/** Creates a key: a mode prefix, 160 random bits and a check suffix, which lets scanners and typo checks work offline. */
export function createApiKey(livemode: boolean, random: Uint8Array = randomBytes(SECRET_BYTES)): string {
  const text = `${livemode ? 'sk_live_' : 'sk_test_'}${toBase32(random)}`
  return text + checkSuffix(text)
}

/** Whether the check suffix is valid; false for a mistyped key. Bootstrap keys have no suffix. */
export const hasValidCheckSuffix = (key: string): boolean =>
  checkSuffix(key.slice(0, -CHECK_LENGTH)) === key.slice(-CHECK_LENGTH)

export const isLivemode = (key: string): boolean => key.startsWith('sk_live_')
export const keyHint = (key: string): string => key.slice(0, HINT_LENGTH)

/** Computes the digest stored for a key. A plain hash is safe because 160 random bits cannot be guessed. */
export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer')
