import type { Meter } from '@vaani/service-kit/telemetry/meter'

/** Why a stream of events ended: the page left, its session ended, it did not read, or the process stops. */
export const STREAM_ENDS = ['left', 'session_ended', 'slow', 'stopping'] as const
export type StreamEnd = (typeof STREAM_ENDS)[number]

export const declareConsoleMetrics = (meter: Meter) => ({
  streams: meter.gauge({
    name: 'vaani_console_streams',
    help: 'Pages of the console that follow events',
  }),
  ended: meter.counter({
    name: 'vaani_console_streams_ended_total',
    help: 'Streams of events to pages of the console that ended, by the reason',
    labels: { reason: STREAM_ENDS },
  }),
  refused: meter.counter({
    name: 'vaani_console_streams_refused_total',
    help: 'Streams of events that were refused, because the session, the account or the process had too many',
    labels: { reason: ['session', 'account', 'process'] },
  }),
})

export type ConsoleMetrics = ReturnType<typeof declareConsoleMetrics>
