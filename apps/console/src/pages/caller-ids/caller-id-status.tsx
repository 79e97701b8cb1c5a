import type { OwnCallerId } from '@vaani/client'
import { Badge } from '../../parts/badge.tsx'
import { t } from '../../text/text.ts'

const TONES = { pending: 'busy', verified: 'good', failed: 'bad' } as const

/** Whether a caller id is verified, or why it is not. */
export const CallerIdStatus = ({ of: { status, failure_reason } }: { of: OwnCallerId }) => (
  <>
    <Badge tone={TONES[status]}>{t.callerIds.statuses[status]}</Badge>
    {failure_reason !== null && ` ${t.callerIds.failures[failure_reason]}`}
  </>
)
