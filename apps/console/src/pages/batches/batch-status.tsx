import type { Batch } from '@vaani/client'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<Batch['status'], Tone>> = {
  queued: 'busy',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  canceled: 'plain',
}

export const BatchStatus = ({ of: { status, failure_reason } }: { of: Batch }) => (
  <Badge tone={TONES[status]}>
    {`${t.batches.statuses[status]}${failure_reason === null ? '' : ` (${t.codes.batchFailures[failure_reason]})`}`}
  </Badge>
)

/** Whether a batch has ended, so that nothing of it changes. */
export const hasEnded = ({ completed_at }: Batch): boolean => completed_at !== null
