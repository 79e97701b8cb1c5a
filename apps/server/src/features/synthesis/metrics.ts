import type { Meter } from '@vaani/service-kit/telemetry/meter'
import { SESSION_ENDS } from './session.ts'

const SESSION_FIRST_BYTE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 5]
const FIRST_BYTE_SECONDS = [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10]

export const declareSynthesisMetrics = (meter: Meter) => ({
  firstByte: meter.histogram({
    name: 'vaani_synthesis_first_byte_seconds',
    help: 'Time from the headers of a request until its whole text is spoken and its file can begin',
    buckets: FIRST_BYTE_SECONDS,
  }),
  stuck: meter.counter({
    name: 'vaani_synthesis_stuck_total',
    help: 'Files aborted because the receiver read nothing for too long (idle) or was too slow overall (limit)',
    labels: { reason: ['idle', 'limit'] },
  }),
  sessionFirstByte: meter.histogram({
    name: 'vaani_synthesis_session_first_byte_seconds',
    help: 'Time from the beginning of a phrase that a listener waits for to its first audio',
    buckets: SESSION_FIRST_BYTE_SECONDS,
  }),
  sessions: meter.counter({
    name: 'vaani_synthesis_sessions_total',
    help: 'Synthesis WebSockets that ended, by the reason: ended by the caller, hung up, failed, expired (idle, limit), lost (gone, stuck) or stopping',
    labels: { reason: SESSION_ENDS },
  }),
})

export type SynthesisMetrics = ReturnType<typeof declareSynthesisMetrics>
