import type { Tracer } from '@vaani/service-kit/telemetry/tracer'
import type { VerificationRow } from './tables.ts'

const IDS = { 'vaani.verification_id': 'id', 'vaani.account_id': 'id' } as const
const OUTCOMES = ['approved', 'declined', 'review'] as const

export const declareIdentitySpans = (tracer: Tracer) => ({
  /** From the submission until a worker first claims it. */
  wait: tracer.declare({ name: 'verifications.wait', kind: 'consumer', fields: IDS }),
  check: tracer.declare({
    name: 'verifications.check',
    kind: 'internal',
    fields: { ...IDS, 'vaani.attempt': 'number', 'vaani.outcome': OUTCOMES },
  }),
})

export type IdentitySpans = ReturnType<typeof declareIdentitySpans>

/** @param options `check` returns undefined if it reached no decision, or this worker no longer held the verification */
export function traceCheck(
  spans: IdentitySpans,
  row: VerificationRow,
  { takenAt, check }: { takenAt: Date; check: () => Promise<(typeof OUTCOMES)[number] | undefined> },
): Promise<void> {
  const { traceparent, attempts, created_at } = row
  const ids = { 'vaani.verification_id': row.verification_id, 'vaani.account_id': row.account_id }
  if (attempts === 1) spans.wait.record(traceparent, created_at, takenAt, ids)
  return spans.check.run(traceparent, async (span) => {
    const outcome = await check()
    span?.set({
      ...ids,
      'vaani.attempt': attempts,
      ...(outcome !== undefined && { 'vaani.outcome': outcome }),
    })
    if (outcome === undefined) span?.fail()
  })
}
