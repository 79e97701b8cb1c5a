import { headerOf, headersOf, type SipRequest } from './message.ts'
import { parseNameAddr } from './name-addr.ts'
import { SipParseError } from './sip-parse-error.ts'
import { parseUri } from './uri.ts'

/** Longest number of E.164 has 15 digits; trunks also send access codes, and numbers of their own. */
const NUMBER = /^\+?[\d*#]{1,32}$/

/** Returns the number of an address; undefined if it has none, or is malformed. */
function numberAt(read: () => string): string | undefined {
  try {
    const uri = parseUri(read())
    // Some numbers bear parameters of `tel` within the user part.
    const text = uri?.scheme === 'tel' ? uri.number : uri?.user?.split(';', 1)[0]
    const number = text?.replaceAll(/[-.()]/g, '')
    return number !== undefined && NUMBER.test(number) ? number : undefined
  } catch (error) {
    if (error instanceof SipParseError) return undefined
    throw error
  }
}

/** Returns the number that an INVITE calls: that of its Request-URI, or else of its To. */
export const numberCalled = (invite: SipRequest): string | undefined =>
  numberAt(() => invite.uri) ?? numberAt(() => parseNameAddr(headerOf(invite, 'to') ?? '').uri)

/** Returns whether the caller asks for their number to be kept from us (RFC 3323, section 4.2; RFC 3325, section 9.3). */
const isWithheld = (invite: SipRequest): boolean =>
  headersOf(invite, 'privacy').some((value) => /(^|[\s;])(id|user|header)([\s;]|$)/i.test(value))

/**
 * Returns the caller's number as the trunk asserts it (P-Asserted-Identity, RFC 3325), or else as the caller gives it; undefined if it is
 * withheld. Callers can give any number that their provider lets them.
 */
export function numberOfCaller(invite: SipRequest): string | undefined {
  if (isWithheld(invite)) return undefined
  const asserted = headersOf(invite, 'p-asserted-identity').map((value) =>
    numberAt(() => parseNameAddr(value).uri),
  )
  return (
    asserted.find((number) => number !== undefined) ??
    numberAt(() => parseNameAddr(headerOf(invite, 'from') ?? '').uri)
  )
}
