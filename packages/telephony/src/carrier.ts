/** Length of one frame in milliseconds. Carriers take and give whole frames. */
export const FRAME_DURATION_MS = 20

/** How a call came to its end. `completed` and `duration_limit` are calls that were answered and went well. */
export const CALL_OUTCOMES = [
  'completed',
  'busy',
  'no_answer',
  'rejected',
  'unreachable',
  'canceled',
  'duration_limit',
  'carrier_error',
] as const

/** How a call came to its end. */
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

/** Who brought the call to its end; `agent` is the side that dialled. */
export type CallEndedBy = 'agent' | 'callee' | 'carrier' | 'duration_limit'

/** A WAV file (mono, 16-bit) of what the far end heard, from answer to hang-up. */
export interface CallRecording {
  readonly path: string
  readonly durationMs: number
}

/** The last event of a call. */
export interface CallEnded {
  readonly type: 'ended'
  readonly outcome: CallOutcome
  readonly endedBy: CallEndedBy
  /** From answer to hang-up; 0 if nobody answered. */
  readonly durationMs: number
  /** Present if a recording was asked for, the call was answered and the file is complete. */
  readonly recording?: CallRecording
  /** Why the recording that was asked for is missing: a system code as `ENOSPC`. The call itself went on. */
  readonly recordingFailure?: string
  /** The final SIP status, where there is one; a simulator gives the status that a trunk would have given. */
  readonly sipStatus?: number
}

/** What a call reports, in the order in which it happened. `ended` comes exactly once, and last. */
export type CarrierEvent =
  | { readonly type: 'ringing' }
  /** `atMs`: Unix time in milliseconds. */
  | { readonly type: 'answered'; readonly atMs: number }
  /** One frame of what the far end says, only if `receiveAudio` was asked for. */
  | { readonly type: 'audio'; readonly samples: Int16Array<ArrayBuffer> }
  /** A key that the far end pressed: one of `0123456789*#ABCD`. */
  | { readonly type: 'dtmf'; readonly digit: string }
  | CallEnded

/** What a carrier needs to place one call. */
export interface DialRequest {
  /** The caller's own name for this call; unique among the calls in progress. */
  readonly callId: string
  /** The number to ring, in E.164. */
  readonly to: string
  /** The number shown to the callee, in E.164. Whether it may be used is the caller's business. */
  readonly fromCallerId?: string
  /** How long to let it ring before the call ends as `no_answer`. */
  readonly ringTimeoutMs: number
  /** How long the call may last from its answer before the carrier hangs up as `duration_limit`. */
  readonly maxDurationMs: number
  /** Where the recording goes. The file appears under this name only once it is complete. */
  readonly recordingPath?: string
  /** Ask for `audio` events. Default false. */
  readonly receiveAudio?: boolean
  /** Aborting is hanging up: `canceled` before the answer, `completed` after it. */
  readonly signal?: AbortSignal
}

/**
 * A call in progress. After `ended`, every method is still there and does nothing.
 */
export interface CarrierCall {
  readonly callId: string
  /**
   * The events, for one reader; a reader that stops early may go on later. At most {@link EVENT_LIMIT} wait: beyond that
   * the oldest `audio` and `dtmf` are dropped, never `ringing`, `answered` or `ended`.
   */
  readonly events: AsyncIterable<CarrierEvent>
  /** The last event, for those who only wait for the end. Never rejects. */
  readonly ended: Promise<CallEnded>
  /**
   * Queues whole frames (20 ms each, mono, at the carrier's rate) to be played in real time, in order. Resolves when all of
   * them are queued: at most about 3 seconds wait, so awaiting it slows the speaker down to the speed of speech. Frames
   * sent before the answer are played from the answer on. Do not change the samples before it resolves.
   *
   * @throws CarrierError `invalid_frame` if the length is no multiple of a frame.
   */
  send(frames: Int16Array): Promise<void>
  /** Drops everything that was sent and not yet played. What is being played may end its 20 ms. */
  clear(): void
  /** Resolves when everything that was sent so far has been played or cleared, or the call has ended. */
  drained(): Promise<void>
  /** Ends the call: `canceled` before the answer, `completed` after it. Idempotent. */
  hangUp(): void
}

/** How evenly frames reached the far ends since the last reading. */
export interface Pacing {
  /** Gaps between one frame and the next of the same call, as heard; 20 is perfect. 0 if there were none. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** How many gaps were measured. */
  readonly gaps: number
  /** Answered calls at the moment of the reading. */
  readonly calls: number
}

/** A way to place phone calls. */
export interface Carrier {
  /** `simulator`, `sip` …: shown wherever somebody might believe that a phone rang. */
  readonly name: string
  /** Rate of the samples in both directions. */
  readonly sampleRateHz: number
  /**
   * Starts a call. All that happens to it, a failure included, is told by its events.
   *
   * @throws CarrierError for a request that no carrier can serve, and after `close()`.
   */
  dial(request: DialRequest): CarrierCall
  /** Reads and resets the measured pacing. */
  pacing(): Pacing
  /** Hangs up all calls, waits for their ends (and their recordings), and releases everything. Idempotent. */
  close(): Promise<void>
}

/** How many events wait for a slow reader: about 5 seconds of audio. */
export const EVENT_LIMIT = 256
