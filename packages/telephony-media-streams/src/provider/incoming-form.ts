import type { ArrivingCall } from './provider.ts'

/** What Twilio gives in place of a number that is withheld: ANONYMOUS, BLOCKED, RESTRICTED, UNAVAILABLE and UNKNOWN on a keypad. */
const WITHHELD = new Set(['+266696687', '+2562533', '+7378742833', '+86282452253', '+8656696'])

/**
 * Reads the webhook of a call that comes in, with the parameters of Twilio, which other providers use too.
 *
 * @see https://www.twilio.com/docs/voice/twiml#request-parameters
 */
export function readIncomingForm(
  body: string,
  account: { readonly accountSid: string; readonly isCallSid: (value: string) => boolean },
): ArrivingCall | undefined {
  const parameters = new URLSearchParams(body)
  const callSid = parameters.get('CallSid') ?? ''
  const isOurs = parameters.get('AccountSid') === account.accountSid && account.isCallSid(callSid)
  // A report of a call that was placed, if it comes here, is none.
  if (!isOurs || parameters.get('Direction') !== 'inbound') return undefined
  const to = numberOf(parameters.get('To'))
  const from = numberOf(parameters.get('From'))
  return { callSid, ...(to !== undefined && { to }), ...(from !== undefined && { from }) }
}

const numberOf = (text: string | null): string | undefined =>
  text !== null && /^\+\d{3,15}$/.test(text) && !WITHHELD.has(text) ? text : undefined
