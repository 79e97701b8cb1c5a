import { callsRecording, callsRoutes } from '../generated/routes.ts'
import type { Call, CallTranscript, PlaceCallRequest } from '../generated/types.ts'
import { type MediaFile, readMedia } from '../streams/media-file.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection, methods, type Query } from './resource.ts'
import { growingInterval, type WaitOptions, waitUntilFinal } from './wait.ts'

const MINUTE_MS = 60_000
/** Dialling, a call of at most 15 minutes, and a margin. */
const LONGEST_CALL_MS = 18 * MINUTE_MS
const INTERVAL = { minMs: 1000, maxMs: 10_000 }

/** Voice-agent calls. */
export interface Calls {
  /**
   * Queues an outbound call by an agent, to be dialled at once or at `scheduled_at`. Retries never dial twice, because every
   * attempt has the same idempotency key.
   *
   * @example
   * const call = await vaani.calls.place({ to: '+9779812345678', agent_id: 'reminder' })
   */
  place(call: PlaceCallRequest, options?: RequestOptions): Pending<Call>
  retrieve(callId: string, options?: RequestOptions): Pending<Call>
  /** Lists the account's calls, newest first. */
  list(query?: Query<'calls.list'>, options?: RequestOptions): List<Call>
  /** Cancels a queued call, and hangs up if it rings; fails with `state_conflict` once it was answered or has ended. */
  cancel(callId: string, options?: RequestOptions): Pending<Call>
  /** Returns the audio heard at the far end, as 16 kHz mono WAV. */
  recording(callId: string, options?: RequestOptions): Pending<MediaFile>
  /**
   * Returns the words that were heard, with their places in the recording.
   *
   * @example
   * const { turns } = await vaani.calls.transcript(call.call_id)
   * for (const { speaker, text } of turns) console.log(`${speaker}: ${text}`)
   */
  transcript(callId: string, options?: RequestOptions): Pending<CallTranscript>
  /** Erases the recording and the transcript of a call that has ended. */
  removeRecording(callId: string, options?: RequestOptions): Pending<void>
  /**
   * Polls the call every 1 to 10 s until it has completed or failed.
   *
   * @param options `forMs` defaults to 18 minutes; pass more for a scheduled call
   * @throws StillPending if the call is not final by then
   */
  waitUntilFinished(callId: string, options?: WaitOptions): Promise<Call>
}

/** Creates the calls namespace alone, for a smaller bundle. */
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
        read: readMedia,
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
