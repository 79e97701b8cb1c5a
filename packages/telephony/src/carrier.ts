/** Duration of one frame in milliseconds. Carriers accept and deliver only whole frames. */
export const FRAME_DURATION_MS = 20

/** Every outcome of a call. Calls that end as `completed` or `duration_limit` were answered and went well. */
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

/** Outcome of a call. */
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

/** The party that ended the call: `agent` is our side, `callee` the other one, who is the caller of a call that came in. */
export type CallEndedBy = 'agent' | 'callee' | 'carrier' | 'duration_limit'

/** A WAV file (mono, 16-bit) of the audio that the far end heard, from answer to hang-up. */
export interface CallRecording {
  readonly path: string
  readonly durationMs: number
}

/** Frames that the far end heard one after another, without a gap. */
export interface PlayedStretch {
  /** Place of the first of them among all frames that were sent. */
  readonly sentAtMs: number
  /** When it was heard, from the answer, where the recording begins too. */
  readonly heardAtMs: number
  readonly durationMs: number
}

/** Quality of the media of one call, from RTP and RTCP (RFC 3550). */
export interface MediaQuality {
  readonly packetsSent: number
  /** Of the current stream; an announcement before the answer may have been another one. */
  readonly packetsReceived: number
  /** Of the packets that the far end sent, the fraction that never came: 0 to 1. */
  readonly lostFraction: number
  /** Interarrival jitter as RFC 3550 estimates it. */
  readonly jitterMs: number
  /** What the far end reported of the packets sent to it, if it sent RTCP. */
  readonly remoteLostFraction?: number
  readonly remoteJitterMs?: number
  readonly roundTripMs?: number
  /** Estimated mean opinion score by the E-model (ITU-T G.107), 1 to 4.5. */
  readonly mos: number
}

/** The last event of a call. */
export interface CallEnded {
  readonly type: 'ended'
  readonly outcome: CallOutcome
  readonly endedBy: CallEndedBy
  /** From answer to hang-up; 0 if nobody answered. */
  readonly durationMs: number
  /** Which of the sent frames the far end heard, in order. Absent if nobody answered, or if the carrier failed and cannot know. */
  readonly played?: readonly PlayedStretch[]
  /** Present if a recording was requested, the call was answered and the file is complete. */
  readonly recording?: CallRecording
  /** Reason why a requested recording is missing: a system code like `ENOSPC`. The call itself went on. */
  readonly recordingFailure?: string
  /** The final SIP status, if there is one; a simulator gives the status that a trunk would have given. */
  readonly sipStatus?: number
  /** Q.850 cause that the network gave for the end (RFC 3326): 17 is busy, 16 a normal end. */
  readonly q850Cause?: number
  /** Time for which the trunk asks to be left alone, from the Retry-After of a 503. It concerns the trunk, not the callee. */
  readonly retryAfterSeconds?: number
  /** Quality of the media, if the call was answered and the carrier measures it. */
  readonly quality?: MediaQuality
}

/** Events of a call, in order. `ended` comes exactly once, and last. */
export type CarrierEvent =
  | { readonly type: 'ringing' }
  /**
   * `atMs`: Unix time in milliseconds. `farewell`: what `hangUpLeft` needs to end the call at its far end if this process dies; only of carriers
   * that have it.
   */
  | { readonly type: 'answered'; readonly atMs: number; readonly farewell?: string }
  /** One frame of audio from the far end; only with `receiveAudio`. */
  | { readonly type: 'audio'; readonly samples: Int16Array<ArrayBuffer> }
  /** A key that the far end pressed: one of `0123456789*#ABCD`. */
  | { readonly type: 'dtmf'; readonly digit: string }
  | CallEnded

/** Request to place one call. */
export interface DialRequest {
  /** Id that the caller chooses for this call; unique among the calls in progress. */
  readonly callId: string
  /** The number to ring, in E.164. */
  readonly to: string
  /** The number shown to the callee, in E.164. The caller must check that it may use this number. */
  readonly fromCallerId?: string
  /** How long to ring before the call ends as `no_answer`. */
  readonly ringTimeoutMs: number
  /** How long the call may last from its answer before the carrier hangs up as `duration_limit`. */
  readonly maxDurationMs: number
  /** Path of the recording. The file appears under this name only once it is complete. */
  readonly recordingPath?: string
  /** Enables `audio` events. Default false. */
  readonly receiveAudio?: boolean
  /** Aborting hangs up: the call ends as `canceled` before the answer, `completed` after it. */
  readonly signal?: AbortSignal
}

/** What is needed to answer a call that comes in, as in {@link DialRequest}. */
export type AnswerRequest = Pick<
  DialRequest,
  'callId' | 'maxDurationMs' | 'recordingPath' | 'receiveAudio' | 'signal'
>

/** Why a call that comes in is not answered. `unknown_number`: nobody here has the number; `unavailable`: nobody answers now. */
export type IncomingRefusal = 'unknown_number' | 'unavailable' | 'busy' | 'rejected'

/** A call that comes in, and rings until it is answered or refused. */
export interface IncomingCall {
  /** The number that was called, as the trunk writes it, with or without the `+` of E.164; absent if it gives none. */
  readonly to?: string
  /** The caller's number, as the trunk writes it; absent if it is withheld. Callers can often choose it, so it proves nothing. */
  readonly from?: string
  /** Aborts when the caller has hung up, or nobody answered within half a minute. */
  readonly gone: AbortSignal
  /**
   * Answers. The events of the call begin with `answered`, or with `ended` if the caller has hung up or the media cannot be agreed on.
   *
   * @throws CarrierError as `dial` does, or `not_ringing` if it was answered or refused before
   */
  answer(request: AnswerRequest): CarrierCall
  /** Refuses. Does nothing if it was answered or refused before. */
  refuse(reason: IncomingRefusal): void
}

/**
 * A call in progress. After `ended`, every method is a no-op.
 */
export interface CarrierCall {
  readonly callId: string
  /**
   * The events, for one reader, which may stop early and resume later. At most {@link EVENT_LIMIT} are queued: beyond that
   * the oldest `audio` and `dtmf` are dropped, never `ringing`, `answered` or `ended`.
   */
  readonly events: AsyncIterable<CarrierEvent>
  /** Resolves with the last event. Never rejects. */
  readonly ended: Promise<CallEnded>
  /**
   * Queues whole frames (20 ms each, mono, at the carrier's rate) to be played in real time, in order. Resolves when all of
   * them are queued. The queue holds about 3 seconds, so awaiting `send` applies back-pressure at the speed of speech.
   * Frames sent before the answer are played from the answer on. Do not change the samples before it resolves.
   *
   * @throws CarrierError `invalid_frame` if the length is not a multiple of a frame.
   */
  send(frames: Int16Array): Promise<void>
  /** Drops all frames that were sent and not yet played. The frame being played may finish its 20 ms. */
  clear(): void
  /** Resolves when all frames sent so far have been played or cleared, or the call has ended. */
  drained(): Promise<void>
  /** Ends the call: `canceled` before the answer, `completed` after it. Idempotent. */
  hangUp(): void
}

/** How evenly frames reached the far ends since the last call of `pacing`. */
export interface Pacing {
  /** Gap between consecutive frames of a call at the far end; 20 is perfect. 0 if there were no gaps. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Number of gaps measured. */
  readonly gaps: number
  /** Number of answered calls now in progress. */
  readonly calls: number
}

/**
 * Why a carrier takes no calls: its trunk does not respond in time, cannot be connected to, has no address in DNS, refuses calls, refuses
 * our registration, or refuses our credentials; or the carrier itself failed.
 */
export type CarrierDownReason =
  | 'timeout'
  | 'unreachable'
  | 'unresolved'
  | 'refused'
  | 'unregistered'
  | 'unauthorized'
  | 'failed'

/** Whether a carrier takes calls now, as far as it knows. `sinceMs`: Unix time in milliseconds. */
export type CarrierHealth =
  | { readonly state: 'unknown' }
  | { readonly state: 'up'; readonly sinceMs: number }
  | {
      readonly state: 'down'
      readonly sinceMs: number
      readonly reason: CarrierDownReason
      /** The response that says so, if there was one. */
      readonly sipStatus?: number
    }

/** Places phone calls, and takes them. */
export interface Carrier {
  /** `simulator`, `sip` …: shown wherever a reader might otherwise believe that a phone rang. */
  readonly name: string
  /** Rate of the samples in both directions. */
  readonly sampleRateHz: number
  /**
   * Starts a call. Its events report its progress, failures included.
   *
   * @throws CarrierError for a request that no carrier can serve, and after `close()`.
   */
  dial(request: DialRequest): CarrierCall
  /** Sets who takes the calls that come in. Without it they are refused. Absent if the carrier takes none. */
  onIncoming?(receive: (call: IncomingCall) => void): void
  /** Returns and resets the measured pacing. */
  pacing(): Pacing
  /** Returns the health of the trunk. Absent if the carrier cannot know it. */
  health?(): CarrierHealth
  /**
   * Hangs up a call that another process had answered, and that died, by the `farewell` of its answer. Absent if the far end learns by itself
   * that the process died.
   */
  hangUpLeft?(farewell: string): void
  /** Hangs up all calls, waits for their ends (and their recordings), and releases everything. Idempotent. */
  close(): Promise<void>
}

/** Maximum number of events queued for a slow reader: about 5 seconds of audio. */
export const EVENT_LIMIT = 256
