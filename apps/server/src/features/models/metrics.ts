import type { Meter } from '@vaani/service-kit/telemetry/meter'

const FIRST_BYTE_SECONDS = [0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5]

/** Models that think first take a minute. */
const FIRST_TOKEN_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export const declareModelMetrics = (meter: Meter) => ({
  firstByte: meter.histogram({
    name: 'vaani_speech_first_byte_seconds',
    help: 'Time from the headers of a request in the OpenAI wire format to the first bytes of its audio',
    buckets: FIRST_BYTE_SECONDS,
  }),
  stuck: meter.counter({
    name: 'vaani_speech_stuck_total',
    help: 'Responses in the OpenAI wire format aborted because the receiver read nothing for too long (idle) or was too slow overall (limit)',
    labels: { reason: ['idle', 'limit'] },
  }),
  firstToken: meter.histogram({
    name: 'vaani_chat_first_token_seconds',
    help: 'Time from the headers of a chat request to the first chunk of its stream',
    buckets: FIRST_TOKEN_SECONDS,
  }),
  chatStuck: meter.counter({
    name: 'vaani_chat_stuck_total',
    help: 'Chat streams aborted because the receiver read nothing for too long (idle) or was too slow overall (limit)',
    labels: { reason: ['idle', 'limit'] },
  }),
})

export type ModelMetrics = ReturnType<typeof declareModelMetrics>
