import { headerOf, type SipResponse } from '../message/message.ts'
import { readSeconds } from '../message/numeric-headers.ts'

/** Returns the shortest lifetime that a registrar takes, from its 423 (RFC 3261, section 10.2.8). */
export const readMinExpires = (response: SipResponse): number | undefined =>
  readSeconds(headerOf(response, 'min-expires') ?? '')
