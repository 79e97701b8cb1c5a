import { isToken } from './grammar.ts'
import { canonicalNameOf } from './header-names.ts'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import type { SipMessage } from './message.ts'

const MESSAGES = {
  invalid_start_line: 'The method, URI, status or reason phrase cannot stand on a start line.',
  invalid_header: 'A header name is no token, or a value holds a line end.',
  too_large: 'The message exceeds 64 KiB.',
} as const

export type SipSerializeErrorCode = keyof typeof MESSAGES

/** Thrown for a message that must not be sent. Its message never quotes the input. */
export class SipSerializeError extends Error {
  override readonly name = 'SipSerializeError'
  readonly code: SipSerializeErrorCode

  constructor(code: SipSerializeErrorCode) {
    super(MESSAGES[code])
    this.code = code
  }
}

const hasLineEnd = (text: string): boolean => /[\r\n]/.test(text)

const startLineOf = (message: SipMessage): string => {
  if (message.kind === 'request') {
    if (!isToken(message.method) || !/^[^\s<>]+$/.test(message.uri)) {
      throw new SipSerializeError('invalid_start_line')
    }
    return `${message.method} ${message.uri} SIP/2.0`
  }
  const { status, reason } = message
  const isStatus = Number.isInteger(status) && status >= 100 && status <= 699
  if (!isStatus || hasLineEnd(reason)) throw new SipSerializeError('invalid_start_line')
  return `SIP/2.0 ${status} ${reason}`
}

const encoder = new TextEncoder()

/**
 * Writes a message, with its Content-Length. Any Content-Length among the headers is ignored.
 * @throws SipSerializeError also if a value holds a line end, because it could inject a field
 */
export const serializeMessage = (message: SipMessage): Uint8Array => {
  const lines = [startLineOf(message)]
  for (const [name, value] of message.headers) {
    if (!isToken(name) || hasLineEnd(value)) throw new SipSerializeError('invalid_header')
    if (name.toLowerCase() !== 'content-length') lines.push(`${canonicalNameOf(name)}: ${value}`)
  }
  lines.push(`Content-Length: ${message.body.length}`, '', '')
  const head = encoder.encode(lines.join('\r\n'))
  const bytes = new Uint8Array(head.length + message.body.length)
  if (bytes.length > MAX_MESSAGE_BYTES) throw new SipSerializeError('too_large')
  bytes.set(head)
  bytes.set(message.body, head.length)
  return bytes
}
