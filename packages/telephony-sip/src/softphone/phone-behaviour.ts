import { LOOPBACK_TEST_NUMBERS } from '@vaani/telephony'
import type { PhoneBehaviour } from '@vaani/telephony'
import { headerOf } from '../message/message.ts'
import type { SipRequest } from '../message/message.ts'
import { parseNameAddr } from '../message/name-addr.ts'
import { SipParseError } from '../message/sip-parse-error.ts'
import { parseUri } from '../message/uri.ts'

const behaviours = new Map<string, PhoneBehaviour>(
  Object.values(LOOPBACK_TEST_NUMBERS).map(({ number, behaviour }) => [number, behaviour]),
)

const numberOf = (uri: string): string | undefined => {
  const parsed = parseUri(uri)
  return parsed?.scheme === 'tel' ? parsed.number : parsed?.user
}

/** Returns the number that an INVITE calls: that of its Request-URI, or else of its To. */
export function numberCalled(invite: SipRequest): string | undefined {
  try {
    return numberOf(invite.uri) ?? numberOf(parseNameAddr(headerOf(invite, 'to') ?? '').uri)
  } catch (error) {
    if (error instanceof SipParseError) return undefined
    throw error
  }
}

/** Returns the behaviour at a number: that of `LOOPBACK_TEST_NUMBERS`; at any other number, the phone answers and listens. */
export const behaviourAt = (number: string | undefined): PhoneBehaviour =>
  (number === undefined ? undefined : behaviours.get(number)) ?? {}
