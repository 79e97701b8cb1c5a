import { CALL_FAILURE_REASONS, type CallFailureReason } from '@vaani/contracts'
import type { Tracer } from '@vaani/service-kit/telemetry/tracer'
import type { CallRow } from './view.ts'

const IDS = { 'vaani.call_id': 'id', 'vaani.account_id': 'id' } as const

export const declareCallSpans = (tracer: Tracer) => ({
  /** From the time a call is due until a worker claims it, which includes the wait for a slot. */
  wait: tracer.declare({ name: 'calls.wait', kind: 'consumer', fields: IDS }),
  carry: tracer.declare({
    name: 'calls.carry',
    kind: 'internal',
    fields: { ...IDS, 'vaani.outcome': ['completed', ...CALL_FAILURE_REASONS] },
  }),
})

export type CallSpans = ReturnType<typeof declareCallSpans>
export type CallOutcome = 'completed' | CallFailureReason

/** Outcomes that are our or the carrier's fault. A callee cannot cause them. */
const FAULTS: readonly CallOutcome[] = ['agent-error', 'carrier-error', 'interrupted']

/** @param carry returns undefined if this worker no longer held the call at its end */
export function traceCall(
  spans: CallSpans,
  call: CallRow,
  carry: () => Promise<CallOutcome | undefined>,
): Promise<void> {
  const { traceparent, scheduled_at, created_at, dial_started_at } = call
  const ids = { 'vaani.call_id': call.call_id, 'vaani.account_id': call.account_id }
  if (dial_started_at !== null)
    spans.wait.record(traceparent, scheduled_at ?? created_at, dial_started_at, ids)
  return spans.carry.run(traceparent, async (span) => {
    const outcome = await carry()
    span?.set({ ...ids, ...(outcome !== undefined && { 'vaani.outcome': outcome }) })
    if (outcome === undefined || FAULTS.includes(outcome)) span?.fail()
  })
}
