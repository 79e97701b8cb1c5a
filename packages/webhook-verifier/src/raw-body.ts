import type { UnsharedBody } from './crypto/platform.ts'
import { viewBytes } from './crypto/platform.ts'

/**
 * Returns whether the body can be the bytes that were sent. Compares the type's name as well, to accept an `ArrayBuffer`
 * of another realm. Refuses shared memory, which could change between verification and parsing.
 */
export function isRawBody(body: unknown): body is UnsharedBody {
  if (typeof body === 'string') return true
  const buffer = ArrayBuffer.isView(body) ? body.buffer : body
  return buffer instanceof ArrayBuffer || Object.prototype.toString.call(buffer) === '[object ArrayBuffer]'
}

/** Skips a byte order mark. @throws SyntaxError or TypeError if the body is not JSON in UTF-8 */
export function parseBody(body: UnsharedBody): unknown {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : viewBytes(body)
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}
