import { readNumber } from './grammar.ts'
import { headersOf, type Headers } from './message.ts'
import { parameterOf, parseParameters, type Parameters } from './parameters.ts'
import { SipParseError } from './sip-parse-error.ts'

/** Highest cause of Q.850, which has seven bits. */
const MAX_CAUSE = 127

const causeIn = (value: string): number | undefined => {
  const semicolon = value.indexOf(';')
  if (semicolon < 0 || value.slice(0, semicolon).trim().toUpperCase() !== 'Q.850') return undefined
  let parameters: Parameters
  try {
    parameters = parseParameters(value.slice(semicolon))
  } catch (error) {
    // A Reason explains an end that has come anyway.
    if (error instanceof SipParseError) return undefined
    throw error
  }
  return readNumber(parameterOf({ parameters }, 'cause') ?? '', MAX_CAUSE)
}

/** Returns the first Q.850 cause among the Reason values of a message (RFC 3326). Skips malformed values. */
export const q850CauseOf = (message: { readonly headers: Headers }): number | undefined =>
  headersOf(message, 'reason')
    .map(causeIn)
    .find((cause) => cause !== undefined)
