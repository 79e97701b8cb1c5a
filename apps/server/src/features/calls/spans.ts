import { CALL_FAILURE_REASONS } from '@vaani/contracts'
import type { Tracer } from '@vaani/service-kit/telemetry/tracer'

const IDS = { 'vaani.call_id': 'id', 'vaani.account_id': 'id' } as const

export const declareCallSpans = (tracer: Tracer) => ({
  /** From the time of a call until a worker takes it: the job, and the wait for a place. */
  wait: tracer.declare({ name: 'calls.wait', kind: 'consumer', fields: IDS }),
  carry: tracer.declare({
    name: 'calls.carry',
    kind: 'internal',
    fields: { ...IDS, 'vaani.outcome': ['completed', ...CALL_FAILURE_REASONS] },
  }),
})

export type CallSpans = ReturnType<typeof declareCallSpans>
