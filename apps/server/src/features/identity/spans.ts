import type { Tracer } from '@vaani/service-kit/telemetry/tracer'

const IDS = { 'vaani.verification_id': 'id', 'vaani.account_id': 'id' } as const

export const declareIdentitySpans = (tracer: Tracer) => ({
  /** From the submission until a worker takes it up for the first time. */
  wait: tracer.declare({ name: 'verifications.wait', kind: 'consumer', fields: IDS }),
  check: tracer.declare({
    name: 'verifications.check',
    kind: 'internal',
    fields: { ...IDS, 'vaani.attempt': 'number', 'vaani.outcome': ['approved', 'declined', 'review'] },
  }),
})

export type IdentitySpans = ReturnType<typeof declareIdentitySpans>
