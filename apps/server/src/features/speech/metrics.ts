import type { Meter } from '@vaani/service-kit/telemetry/meter'

const FIRST_BYTE_SECONDS = [0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5]

export const declareSpeechMetrics = (meter: Meter) => ({
  firstByte: meter.histogram({
    name: 'vaani_stream_first_byte_seconds',
    help: 'From the head of a request to the first audio of its stream',
    buckets: FIRST_BYTE_SECONDS,
  }),
  stuck: meter.counter({
    name: 'vaani_streams_stuck_total',
    help: 'Streams that were given up because the receiver took nothing for too long, or too little in all',
    labels: { reason: ['idle', 'limit'] },
  }),
})

export type SpeechMetrics = ReturnType<typeof declareSpeechMetrics>
