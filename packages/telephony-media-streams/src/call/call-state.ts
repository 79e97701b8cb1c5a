import type { Verdict } from '@vaani/telephony/line'
import type { CallEndFacts } from '@vaani/telephony/line'
import type { Callback, Creation, Progress } from '../provider/provider.ts'

/**
 * Why we hang up. `unreported`: nothing was heard of the call, so that the provider most likely cannot reach us; `unheard`: nothing that
 * we send is played; `no_stream`: the media never came; `stream_lost`: it broke off.
 */
export type HangUpReason =
  | 'agent'
  | 'limit'
  | 'ring_limit'
  | 'unreported'
  | 'unheard'
  | 'no_stream'
  | 'stream_lost'
  | 'gone'

/**
 * Where a call is. `waiting`: to be asked for; `creating`: asked for; `unknown`: asked for without a word on it; `placed`: exists and is not
 * answered; `answered`: without its media yet; `streaming`; `stopped`: the media has ended, the call has not by the provider's word;
 * `hanging_up`: by us.
 */
export type Phase =
  | { readonly type: 'waiting' | 'creating'; readonly throttled: number }
  | { readonly type: 'unknown' }
  | { readonly type: 'placed' | 'answered' | 'streaming'; readonly callSid: string }
  | { readonly type: 'stopped'; readonly callSid: string; readonly lookUps: number }
  | {
      readonly type: 'hanging_up'
      readonly callSid: string
      readonly reason: HangUpReason
      readonly attempts: number
    }
  | { readonly type: 'ended' }

export interface CallState {
  readonly phase: Phase
  /** Beyond it, the phase goes on by itself. Infinity if it never does. */
  readonly deadlineMs: number
  /** Why to hang up once there is a call to hang up. */
  readonly wanted?: HangUpReason
  readonly hasRung: boolean
  readonly hasAnswered: boolean
  /** Sequence number of the last report of progress. */
  readonly sequence: number
  readonly ringTimeoutMs: number
  /** Whether the provider reports the progress of the call to us. */
  readonly isReported: boolean
}

/** What happens to a call. */
export type CallInput =
  | { readonly type: 'tick' }
  | { readonly type: 'creation'; readonly creation: Creation | { readonly type: 'not_sent' } }
  | { readonly type: 'callback'; readonly callback: Callback }
  | { readonly type: 'looked_up'; readonly progress: Progress | undefined }
  /** An authentic media stream of the call has begun. It may not name the call. */
  | { readonly type: 'stream_started'; readonly callSid: string | undefined }
  /** `isOrderly`: the provider said that it stops. */
  | { readonly type: 'stream_ended'; readonly isOrderly: boolean }
  | { readonly type: 'hang_up'; readonly reason: HangUpReason }
  /** The provider's answer to our hanging up. */
  | { readonly type: 'hung_up'; readonly isOver: boolean }

/** What is to be done. */
export type CallEffect =
  | { readonly type: 'create' }
  | { readonly type: 'hang_up' | 'look_up'; readonly callSid: string }
  | { readonly type: 'emit_ringing' | 'emit_answered' | 'close_stream' }
  /** `isLeft`: the provider may still have the call. If it reports it, it must be hung up. */
  | { readonly type: 'end'; readonly facts: CallEndFacts; readonly isLeft: boolean }

/** A call that is to be placed. */
export const callToPlace = (ringTimeoutMs: number): CallState => ({
  phase: { type: 'waiting', throttled: 0 },
  deadlineMs: 0,
  hasRung: false,
  hasAnswered: false,
  sequence: -1,
  ringTimeoutMs,
  isReported: true,
})

/** How long the media of a call that comes in may take, once we have asked for it. */
const ARRIVAL_MS = 10_000

/** A call that comes in, and is connected to a stream. It rang before, and nothing but its media tells of it. */
export const callToTake = (callSid: string, nowMs: number): CallState => ({
  phase: { type: 'placed', callSid },
  deadlineMs: nowMs + ARRIVAL_MS,
  hasRung: true,
  hasAnswered: false,
  sequence: -1,
  ringTimeoutMs: ARRIVAL_MS,
  isReported: false,
})

const CARRIER_ERROR: Verdict = { outcome: 'carrier_error', endedBy: 'carrier' }

/** Returns how a call ends that we hang up, or would have. */
export function factsOf(reason: HangUpReason, hasAnswered: boolean): CallEndFacts {
  switch (reason) {
    case 'agent':
      return { outcome: hasAnswered ? 'completed' : 'canceled', endedBy: 'agent' }
    case 'limit':
      return { outcome: 'duration_limit', endedBy: 'duration_limit' }
    case 'ring_limit':
      return { outcome: 'no_answer', endedBy: 'callee' }
    case 'gone':
      return { outcome: 'completed', endedBy: 'callee' }
    case 'unreported':
    case 'unheard':
    case 'no_stream':
    case 'stream_lost':
      return CARRIER_ERROR
  }
}
