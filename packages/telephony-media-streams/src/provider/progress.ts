import { verdictOfRefusal } from '@vaani/telephony/line'
import type { Verdict } from '@vaani/telephony/line'
import type { Progress } from './provider.ts'

/** Verdicts on statuses that say why by themselves. A call that is canceled, but not by us, was so by somebody with access to the account. */
const VERDICTS: Readonly<Record<'busy' | 'no-answer' | 'failed' | 'canceled', Verdict>> = {
  busy: { outcome: 'busy', endedBy: 'callee' },
  'no-answer': { outcome: 'no_answer', endedBy: 'callee' },
  // Could not be completed as dialled: most likely a number that does not exist, if no SIP status says more.
  failed: { outcome: 'unreachable', endedBy: 'carrier' },
  canceled: { outcome: 'carrier_error', endedBy: 'carrier' },
}

/**
 * Reads a CallStatus. Returns undefined for one that is not documented, which must not end a call.
 *
 * @param sipStatus the SipResponseCode that ended the call, if there is one
 * @see https://www.twilio.com/docs/voice/api/call-resource#call-status-values
 */
export function progressOf(status: string, sipStatus: number | undefined): Progress | undefined {
  switch (status) {
    case 'queued':
    case 'initiated':
      return { type: 'queued' }
    case 'ringing':
    case 'completed':
      return { type: status }
    // The event is called `answered`, the status `in-progress`.
    case 'answered':
    case 'in-progress':
      return { type: 'answered' }
    case 'busy':
    case 'no-answer':
    case 'failed':
    case 'canceled': {
      const refusal = sipStatus !== undefined && sipStatus >= 300 ? { sipStatus } : {}
      return { type: 'failed', verdict: verdictOf(status, sipStatus), ...refusal }
    }
    default:
      return undefined
  }
}

/** A SIP status that names the reason wins: a person who declines (603) may be reported as busy. */
function verdictOf(status: keyof typeof VERDICTS, sipStatus: number | undefined): Verdict {
  if (sipStatus === undefined || sipStatus < 300 || status === 'canceled') return VERDICTS[status]
  const verdict = verdictOfRefusal(sipStatus, undefined)
  return verdict.outcome === 'carrier_error' && status !== 'failed' ? VERDICTS[status] : verdict
}
