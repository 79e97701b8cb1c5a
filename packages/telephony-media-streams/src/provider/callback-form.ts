import { progressOf } from './progress.ts'
import type { Callback } from './provider.ts'

/**
 * Reads a status callback with the parameters of Twilio, which other providers use too. Returns undefined if it is none about the progress of
 * a call of the account.
 */
export function readCallbackForm(
  body: string,
  account: { readonly accountSid: string; readonly isCallSid: (value: string) => boolean },
): Callback | undefined {
  const parameters = new URLSearchParams(body)
  const callSid = parameters.get('CallSid') ?? ''
  const sequence = wholeNumber(parameters.get('SequenceNumber'))
  const sipStatus = wholeNumber(parameters.get('SipResponseCode'))
  const progress = progressOf(parameters.get('CallStatus') ?? '', sipStatus)
  if (parameters.get('AccountSid') !== account.accountSid || !account.isCallSid(callSid)) return undefined
  return sequence === undefined || progress === undefined ? undefined : { callSid, sequence, progress }
}

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
