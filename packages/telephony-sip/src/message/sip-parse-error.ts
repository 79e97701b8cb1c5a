import type { Headers } from './message.ts'

const MESSAGES = {
  empty: 'The datagram holds only line ends.',
  too_large: 'The message exceeds 64 KiB.',
  line_too_long: 'A line of the head exceeds 8 KiB.',
  too_many_headers: 'The message has more than 200 header values.',
  truncated: 'The message ends before its Content-Length, or inside its head.',
  malformed_start_line: 'The first line is neither a request line nor a status line.',
  unsupported_version: 'The protocol version is not SIP/2.0.',
  malformed_header: 'A header field breaks the grammar.',
  missing_header: 'A mandatory header field is missing.',
  repeated_header: 'A header field that allows one value has several.',
  malformed_content_length: 'Content-Length is not a number, or is missing on a stream.',
  malformed_number: 'A numeric header field is out of its range.',
  malformed_uri: 'A URI breaks the grammar.',
  malformed_address: 'An address header field breaks the grammar.',
  malformed_via: 'The topmost Via breaks the grammar.',
  malformed_cseq: 'CSeq breaks the grammar, or is not below 2^31.',
  method_mismatch: 'The method of CSeq is not that of the request line.',
} as const

export type SipParseErrorCode = keyof typeof MESSAGES

/** Parts of the response to a refused request. */
export interface Refusal {
  readonly status: 400 | 505 | 513
  /** The request's headers that a response copies. See `buildResponse`. */
  readonly headers: Headers
}

/** Thrown by every parser of this folder. Its message never quotes the input. */
export class SipParseError extends Error {
  override readonly name = 'SipParseError'
  readonly code: SipParseErrorCode
  /** Present if the input is a request other than ACK whose Via, From, To, Call-ID and CSeq could be read. */
  readonly refusal: Refusal | undefined

  constructor(code: SipParseErrorCode, refusal?: Refusal) {
    super(MESSAGES[code])
    this.code = code
    this.refusal = refusal
  }
}
