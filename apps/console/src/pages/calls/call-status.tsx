import type { Call } from '@vaani/client'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<Call['status'], Tone>> = {
  queued: 'busy',
  'in-progress': 'busy',
  completed: 'good',
  failed: 'bad',
}

/** The status of a call, with the reason of a failure. */
export function CallStatus({ call }: { call: Call }) {
  const isRinging = call.status === 'queued' && call.ringing_since !== undefined
  const { callStatuses, callFailures } = t.codes
  const reason = call.failure_reason && ` (${callFailures[call.failure_reason]})`
  return (
    <Badge tone={TONES[call.status]}>
      {`${isRinging ? t.calls.ringing : callStatuses[call.status]}${reason ?? ''}`}
    </Badge>
  )
}

/** Whether a call has ended, so that nothing of it changes. */
export const hasEnded = ({ status }: Call): boolean => status === 'completed' || status === 'failed'
