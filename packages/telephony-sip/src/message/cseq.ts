import { isToken, readNumber, trimSpaces } from './grammar.ts'
import { SipParseError } from './sip-parse-error.ts'

/** Highest sequence number (RFC 3261, 8.1.1.5). */
export const MAX_SEQUENCE = 2 ** 31 - 1

/** Position of a request in its dialog (RFC 3261, 20.16). */
export interface CSeq {
  readonly sequence: number
  readonly method: string
}

/** Reads a CSeq value. @throws SipParseError `malformed_cseq` */
export const parseCSeq = (value: string): CSeq => {
  const trimmed = trimSpaces(value)
  const space = trimmed.search(/[ \t]/)
  const sequence = readNumber(trimmed.slice(0, Math.max(0, space)), MAX_SEQUENCE)
  const method = trimSpaces(trimmed.slice(space + 1))
  if (sequence === undefined || !isToken(method)) throw new SipParseError('malformed_cseq')
  return { sequence, method }
}

/** Writes a CSeq value. */
export const serializeCSeq = ({ sequence, method }: CSeq): string => `${sequence} ${method}`
