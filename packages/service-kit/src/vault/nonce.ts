import { randomBytes } from 'node:crypto'

/** Length of a nonce of AES-GCM that is used as it is (NIST SP 800-38D, 8.2). */
export const NONCE_BYTES = 12
const DRAWN_AT_ONCE = 512

let drawn = Buffer.alloc(0)

/** Draws a random nonce. Draws many at once, because a draw takes longer than sealing a short text. */
export function drawNonce(): Buffer {
  if (drawn.length === 0) drawn = randomBytes(NONCE_BYTES * DRAWN_AT_ONCE)
  const nonce = drawn.subarray(0, NONCE_BYTES)
  drawn = drawn.subarray(NONCE_BYTES)
  return nonce
}
