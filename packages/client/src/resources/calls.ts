import { callsRecording, callsRoutes } from '../generated/routes.ts'
import type { Call, PlaceCallRequest } from '../generated/types.ts'
import { type AudioFile, readAudio } from '../streams/audio-file.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection, methods, type Query } from './resource.ts'
import { growingInterval, type WaitOptions, waitUntilFinal } from './wait.ts'

const MINUTE_MS = 60_000
/** Dialling, 15 minutes of speaking, and a margin. */
const LONGEST_CALL_MS = 18 * MINUTE_MS
const INTERVAL = { minMs: 1000, maxMs: 10_000 }

/** Voice-agent calls. */
export interface Calls {
  /**
   * Queues a call, at once or at `scheduled_at`. However often it is sent, nobody is rung twice: every try has the same
   * idempotency key.
   *
   * @example
   * const call = await vaani.calls.place({ to: '+9779812345678', agent_id: 'reminder' })
   */
  place(call: PlaceCallRequest, options?: RequestOptions): Pending<Call>
  retrieve(callId: string, options?: RequestOptions): Pending<Call>
  /** The account's calls, newest first. */
  list(query?: Query<'calls.list'>, options?: RequestOptions): List<Call>
  /** Only a call that is still queued; otherwise it fails with `state_conflict`. */
  cancel(callId: string, options?: RequestOptions): Pending<Call>
  /** What was heard at the far end, as a 16 kHz mono WAV file. */
  recording(callId: string, options?: RequestOptions): Pending<AudioFile>
  /** Erases the recording of a call that has ended. */
  removeRecording(callId: string, options?: RequestOptions): Pending<void>
  /**
   * Reads a call until it has completed or failed, every 1 to 10 s.
   *
   * @param options `forMs`: default 18 minutes, so more for a scheduled call
   * @throws StillPending
   */
  waitUntilFinished(callId: string, options?: WaitOptions): Promise<Call>
}

/** The calls alone, for a smaller bundle. */
export function createCalls(connection: Connection): Calls {
  const transport = connect(connection)
  const plain = methods(transport, 'calls', callsRoutes, list)
  return {
    ...plain,
    recording: (id, options) =>
      transport.send({
        route: callsRecording,
        id,
        accept: 'audio/wav',
        options,
        read: readAudio,
      }),
    waitUntilFinished: (id, options) =>
      waitUntilFinal(transport, {
        operation: 'calls.retrieve',
        id,
        forMs: LONGEST_CALL_MS,
        ...options,
        read: (options) => plain.retrieve(id, options),
        statusOf: ({ status }) => status,
        finalStatuses: ['completed', 'failed'],
        events: /completed|failed/,
        intervalMs: growingInterval(INTERVAL),
      }),
  }
}
