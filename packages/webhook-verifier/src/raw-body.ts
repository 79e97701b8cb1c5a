import type { UnsharedBody } from './crypto/platform.ts'
import { viewBytes } from './crypto/platform.ts'

/**
 * Whether it can be the bytes that were sent. Asked by kind, as another realm's `ArrayBuffer` is one too. Not memory
 * that threads share: it could change between the check and the parsing.
 */
export function isRawBody(body: unknown): body is UnsharedBody {
  if (typeof body === 'string') return true
  const buffer = ArrayBuffer.isView(body) ? body.buffer : body
  return buffer instanceof ArrayBuffer || Object.prototype.toString.call(buffer) === '[object ArrayBuffer]'
}

/** @throws SyntaxError or TypeError where it is not JSON in UTF-8 */
export function parseBody(body: UnsharedBody): unknown {
  return JSON.parse(
    typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(viewBytes(body)),
  )
}
