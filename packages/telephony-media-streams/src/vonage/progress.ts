import type { Progress } from '../provider/provider.ts'

/**
 * Reads the status of a call. Returns undefined for one that is not documented, or says nothing of its progress.
 *
 * @see https://developer.vonage.com/en/voice/voice-api/webhook-reference
 */
export function progressOf(status: string): Progress | undefined {
  switch (status) {
    case 'started':
      return { type: 'queued' }
    case 'ringing':
    case 'answered':
    case 'completed':
      return { type: status }
    case 'busy':
      return { type: 'failed', verdict: { outcome: 'busy', endedBy: 'callee' } }
    case 'rejected':
      return { type: 'failed', verdict: { outcome: 'rejected', endedBy: 'callee' } }
    case 'timeout':
    case 'unanswered':
      return { type: 'failed', verdict: { outcome: 'no_answer', endedBy: 'callee' } }
    // Most likely a number that does not exist.
    case 'failed':
      return { type: 'failed', verdict: { outcome: 'unreachable', endedBy: 'carrier' } }
    // By somebody with access to the account, if not by us.
    case 'cancelled':
      return { type: 'failed', verdict: { outcome: 'carrier_error', endedBy: 'carrier' } }
    default:
      return undefined
  }
}

/** Order of statuses of one moment, because events have a time and no number. */
export function rankOf({ type }: Progress): number {
  switch (type) {
    case 'queued':
      return 0
    case 'ringing':
      return 1
    case 'answered':
      return 2
    case 'completed':
    case 'failed':
      return 3
  }
}
