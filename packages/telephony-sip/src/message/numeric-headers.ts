import { MAX_SEQUENCE } from './cseq.ts'
import { isToken, readNumber, trimSpaces } from './grammar.ts'
import { parameterOf, parseParameters } from './parameters.ts'
import { SipParseError } from './sip-parse-error.ts'

/** Highest number of seconds: 2^32 - 1 (RFC 3261, 20.19 and 20.33). */
const MAX_SECONDS = 2 ** 32 - 1

/** Highest RSeq (RFC 3262, 7.1). */
const MAX_RSEQ = 2 ** 32 - 1

/** Reads a number of seconds, as in Expires and Min-Expires. Returns undefined if malformed. */
export const readSeconds = (value: string): number | undefined => readNumber(trimSpaces(value), MAX_SECONDS)

/** Reads Retry-After, ignoring its comment and parameters. Returns seconds; undefined if malformed. */
export const readRetryAfter = (value: string): number | undefined =>
  readSeconds(value.split(/[;(]/, 1)[0] ?? '')

/** Session-Expires (RFC 4028, section 4). */
export interface SessionExpires {
  readonly seconds: number
  readonly refresher?: 'uac' | 'uas'
}

/** Reads Session-Expires. Returns undefined if malformed. */
export const readSessionExpires = (value: string): SessionExpires | undefined => {
  const semicolon = value.indexOf(';')
  const seconds = readSeconds(semicolon < 0 ? value : value.slice(0, semicolon))
  if (seconds === undefined) return undefined
  try {
    const parameters = semicolon < 0 ? [] : parseParameters(value.slice(semicolon))
    const refresher = parameterOf({ parameters }, 'refresher')?.toLowerCase()
    return refresher === 'uac' || refresher === 'uas' ? { seconds, refresher } : { seconds }
  } catch (error) {
    if (error instanceof SipParseError) return undefined
    throw error
  }
}

/** Reads Min-SE, ignoring its parameters. Returns seconds; undefined if malformed. */
export const readMinSe = (value: string): number | undefined => readSeconds(value.split(';', 1)[0] ?? '')

/** Reads RSeq. Returns undefined if malformed. */
export const readRSeq = (value: string): number | undefined => readNumber(trimSpaces(value), MAX_RSEQ)

/** RAck (RFC 3262, 7.2): the provisional response that a PRACK acknowledges. */
export interface RAck {
  readonly rseq: number
  readonly sequence: number
  readonly method: string
}

/** Reads RAck. Returns undefined if malformed. */
export const readRAck = (value: string): RAck | undefined => {
  const [response = '', request = '', method = '', ...others] = value
    .split(/[ \t]/)
    .filter((part) => part !== '')
  const rseq = readNumber(response, MAX_RSEQ)
  const sequence = readNumber(request, MAX_SEQUENCE)
  const isWhole = others.length === 0 && isToken(method)
  return isWhole && rseq !== undefined && sequence !== undefined ? { rseq, sequence, method } : undefined
}
