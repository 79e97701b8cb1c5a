import type { RawBody } from './crypto/platform.ts'
import { viewBytes } from './crypto/platform.ts'
import type { Failure } from './result.ts'
import { fail } from './result.ts'

/**
 * Whether it can be the bytes that were sent. Asked by kind, as another realm's `ArrayBuffer` is one too. Not memory
 * that threads share: it could change between the check and the parsing.
 */
export function isRawBody(body: unknown): body is RawBody {
  if (typeof body === 'string') return true
  const buffer = ArrayBuffer.isView(body) ? body.buffer : body
  return Object.prototype.toString.call(buffer) === '[object ArrayBuffer]'
}

export function parseBody(body: RawBody): { readonly ok: true; readonly value: unknown } | Failure {
  try {
    const text =
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(viewBytes(body))
    return { ok: true, value: JSON.parse(text) }
  } catch {
    // What JSON.parse says of it quotes the body.
    return fail('body_not_json')
  }
}
