import { isToken } from './grammar.ts'
import { headersOf } from './message.ts'
import type { Head } from './read-head.ts'
import { SipParseError, type Refusal, type SipParseErrorCode } from './sip-parse-error.ts'
import { parseVia } from './via.ts'

const statusOf = (code: SipParseErrorCode): Refusal['status'] => {
  if (code === 'unsupported_version') return 505
  return code === 'too_large' ? 513 : 400
}

/** Header fields that a response copies, besides the Vias (8.2.6.2). */
const COPIED = ['from', 'to', 'call-id', 'cseq'] as const

const canAnswer = (head: Head): boolean => {
  const method = head.startLine.slice(0, Math.max(0, head.startLine.indexOf(' ')))
  // A status line starts with `SIP/2.0`, which is no token. An ACK is never answered.
  if (!isToken(method) || method === 'ACK') return false
  const [via] = headersOf(head, 'via')
  if (via === undefined || COPIED.some((name) => headersOf(head, name).length === 0)) return false
  try {
    parseVia(via)
    return true
  } catch (error) {
    if (error instanceof SipParseError) return false
    throw error
  }
}

/** Returns the error of a message, with the parts of a refusal if the message can be answered. */
export const refuse = (code: SipParseErrorCode, head: Head): SipParseError => {
  if (!canAnswer(head)) return new SipParseError(code)
  const copied = COPIED.map((name) => [name, headersOf(head, name)[0] ?? ''] as const)
  const vias = headersOf(head, 'via').map((value) => ['via', value] as const)
  return new SipParseError(code, { status: statusOf(code), headers: [...vias, ...copied] })
}
