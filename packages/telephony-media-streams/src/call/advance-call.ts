import type { CallEndFacts } from '@vaani/telephony/line'
import type { Callback, Creation, Progress } from '../provider/provider.ts'
import { type CallInput, type CallState, factsOf, type HangUpReason } from './call-state.ts'
import { end, endUnanswered, stay, type Step, continueWith } from './step.ts'

/** How long the first report of a call may take of which we do not know whether it exists. */
const UNKNOWN_MS = 15_000
/** How long the media may take after the answer. */
const STREAM_MS = 10_000
/** How long the final report may take after the media, before we ask; and how often we ask. */
const FINAL_MS = 5000
const LOOK_UPS = 3
/** Pauses before hanging up is tried again. */
const HANG_UP_PAUSES_MS = [500, 1000, 2000, 4000, 8000]
/** How often a 429 is followed, and how long it may ask for. */
const THROTTLES = 3
const LONGEST_THROTTLE_SECONDS = 10

/**
 * Advances a call. Reports may come late, twice, in any order, or not at all: whatever comes, the call is created once, ends once, and does
 * nothing afterwards.
 */
export function advanceCall(state: CallState, input: CallInput, nowMs: number): Step {
  if (state.phase.type === 'ended') return stay(state)
  switch (input.type) {
    case 'tick':
      return nowMs >= state.deadlineMs ? passDeadline(state, nowMs) : stay(state)
    case 'creation':
      return takeCreation(state, input.creation, nowMs)
    case 'callback':
      return takeCallback(state, input.callback, nowMs)
    case 'looked_up':
      return takeLookUp(state, input.progress, nowMs)
    case 'stream_started':
      return startStream(state, input.callSid, nowMs)
    case 'stream_ended':
      return endStream(state, input.isOrderly, nowMs)
    case 'hang_up':
      return hangUp(state, input.reason, nowMs)
    case 'hung_up':
      return takeHangUp(state, input.isOver, nowMs)
  }
}

const CARRIER_ERROR: CallEndFacts = { outcome: 'carrier_error', endedBy: 'carrier' }
const COMPLETED: CallEndFacts = { outcome: 'completed', endedBy: 'callee' }

function passDeadline(state: CallState, nowMs: number): Step {
  const { phase } = state
  switch (phase.type) {
    case 'waiting':
      return {
        state: { ...state, phase: { ...phase, type: 'creating' }, deadlineMs: Infinity },
        effects: [{ type: 'create' }],
      }
    case 'unknown':
      return endUnanswered(state, CARRIER_ERROR, true)
    case 'placed':
      // The first report comes before the phone rings.
      return hangUp(state, state.sequence < 0 ? 'unreported' : 'ring_limit', nowMs)
    case 'answered':
      return hangUp(state, 'no_stream', nowMs)
    case 'stopped':
      if (phase.lookUps === LOOK_UPS) return beginHangUp(state, phase.callSid, 'gone', nowMs)
      return {
        state: { ...state, phase: { ...phase, lookUps: phase.lookUps + 1 }, deadlineMs: nowMs + FINAL_MS },
        effects: [{ type: 'look_up', callSid: phase.callSid }],
      }
    case 'hanging_up':
      return {
        state: { ...state, phase: { ...phase, attempts: phase.attempts + 1 }, deadlineMs: Infinity },
        effects: [{ type: 'hang_up', callSid: phase.callSid }],
      }
    case 'creating':
    case 'streaming':
    case 'ended':
      return stay(state)
  }
}

function takeCreation(
  state: CallState,
  creation: Creation | { readonly type: 'not_sent' },
  nowMs: number,
): Step {
  const { phase } = state
  // A report, or the media, may have come before.
  if (phase.type !== 'creating') return stay(state)
  switch (creation.type) {
    case 'created':
      return place(state, creation.callSid, nowMs)
    case 'refused':
      return endUnanswered(state, creation.verdict)
    case 'not_sent':
      return endUnanswered(state, { outcome: 'unreachable', endedBy: 'carrier' })
    case 'throttled': {
      const { retryAfterSeconds } = creation
      const throttled = phase.throttled + 1
      if (state.wanted || throttled > THROTTLES || retryAfterSeconds > LONGEST_THROTTLE_SECONDS)
        return endUnanswered(state, { ...CARRIER_ERROR, retryAfterSeconds })
      return stay({
        ...state,
        phase: { type: 'waiting', throttled },
        deadlineMs: nowMs + retryAfterSeconds * 1000,
      })
    }
    case 'unknown':
      if (state.wanted) return endUnanswered(state, CARRIER_ERROR, true)
      return stay({ ...state, phase: { type: 'unknown' }, deadlineMs: nowMs + UNKNOWN_MS })
  }
}

/** The call exists. */
function place(state: CallState, callSid: string, nowMs: number): Step {
  if (state.wanted) return beginHangUp(state, callSid, state.wanted, nowMs)
  return stay({ ...state, phase: { type: 'placed', callSid }, deadlineMs: nowMs + state.ringTimeoutMs })
}

/** Notes the id of a call whose creation we have no word on yet. Returns undefined if the id is that of another call. */
function identify(state: CallState, callSid: string, nowMs: number): Step | undefined {
  const { phase } = state
  if (phase.type === 'creating' || phase.type === 'unknown') return place(state, callSid, nowMs)
  return 'callSid' in phase && phase.callSid === callSid ? stay(state) : undefined
}

function takeCallback(state: CallState, callback: Callback, nowMs: number): Step {
  if (callback.sequence <= state.sequence) return stay(state)
  const known = identify(state, callback.callSid, nowMs)
  if (!known) return stay(state)
  return continueWith(known, (next) =>
    takeProgress({ ...next, sequence: callback.sequence }, callback.progress, nowMs),
  )
}

function takeProgress(state: CallState, progress: Progress, nowMs: number): Step {
  switch (progress.type) {
    case 'queued':
      return stay(state)
    case 'ringing':
      return ring(state, nowMs)
    case 'answered':
      return answer(state, nowMs)
    case 'completed':
      return end(state, factsOfCompleted(state))
    case 'failed': {
      const { verdict, sipStatus } = progress
      const status = sipStatus === undefined ? {} : { sipStatus }
      if (state.phase.type === 'hanging_up')
        return end(state, { ...factsOf(state.phase.reason, state.hasAnswered), ...status })
      return end(state, { ...(state.hasAnswered ? CARRIER_ERROR : verdict), ...status })
    }
  }
}

/** A call whose media never came was no conversation, whoever answered. */
function factsOfCompleted({ phase, hasAnswered }: CallState): CallEndFacts {
  if (phase.type === 'hanging_up') return factsOf(phase.reason, hasAnswered)
  return phase.type === 'streaming' || phase.type === 'stopped' ? COMPLETED : CARRIER_ERROR
}

function ring(state: CallState, nowMs: number): Step {
  if (state.phase.type !== 'placed' || state.hasRung) return stay(state)
  return {
    // The provider may have queued the call before.
    state: { ...state, hasRung: true, deadlineMs: nowMs + state.ringTimeoutMs },
    effects: [{ type: 'emit_ringing' }],
  }
}

/** The media, and the report of the answer, may overtake that of the ringing. */
function answer(state: CallState, nowMs: number): Step {
  if (state.phase.type !== 'placed') return stay(state)
  const { callSid } = state.phase
  return continueWith(ring(state, nowMs), (rung) => ({
    state: {
      ...rung,
      hasAnswered: true,
      phase: { type: 'answered', callSid },
      deadlineMs: nowMs + STREAM_MS,
    },
    effects: [{ type: 'emit_answered' }],
  }))
}

/** A stream that does not name its call is that of its token; without it, a call whose id is unknown could not be hung up. */
function startStream(state: CallState, named: string | undefined, nowMs: number): Step {
  const callSid = named ?? ('callSid' in state.phase ? state.phase.callSid : undefined)
  const known = callSid === undefined ? undefined : identify(state, callSid, nowMs)
  if (!known) return { state, effects: [{ type: 'close_stream' }] }
  return continueWith(known, (next) =>
    continueWith(answer(next, nowMs), (answered) => {
      if (answered.phase.type !== 'answered') return { state: answered, effects: [{ type: 'close_stream' }] }
      return stay({ ...answered, phase: { ...answered.phase, type: 'streaming' }, deadlineMs: Infinity })
    }),
  )
}

function endStream(state: CallState, isOrderly: boolean, nowMs: number): Step {
  const { phase } = state
  if (phase.type !== 'streaming') return stay(state)
  if (!isOrderly) return hangUp(state, 'stream_lost', nowMs)
  const { callSid } = phase
  return {
    state: {
      ...state,
      phase: { type: 'stopped', callSid, lookUps: 0 },
      deadlineMs: state.isReported ? nowMs + FINAL_MS : nowMs,
    },
    effects: [{ type: 'close_stream' }],
  }
}

function takeLookUp(state: CallState, progress: Progress | undefined, nowMs: number): Step {
  const isFinal = progress?.type === 'completed' || progress?.type === 'failed'
  return state.phase.type === 'stopped' && isFinal ? takeProgress(state, progress, nowMs) : stay(state)
}

function hangUp(state: CallState, reason: HangUpReason, nowMs: number): Step {
  const { phase } = state
  switch (phase.type) {
    case 'waiting':
      return end(state, factsOf(reason, false))
    case 'creating':
      return stay({ ...state, wanted: state.wanted ?? reason })
    case 'unknown':
      return end(state, factsOf(reason, false), true)
    case 'placed':
    case 'answered':
    case 'streaming':
      return beginHangUp(state, phase.callSid, reason, nowMs)
    // The far end was faster.
    case 'stopped':
    case 'hanging_up':
    case 'ended':
      return stay(state)
  }
}

/** Closing the media ends an answered call too, if the REST API does not. */
function beginHangUp(state: CallState, callSid: string, reason: HangUpReason, nowMs: number): Step {
  const phase = { type: 'hanging_up', callSid, reason, attempts: 0 } as const
  const step = passDeadline({ ...state, phase }, nowMs)
  return { ...step, effects: [{ type: 'close_stream' }, ...step.effects] }
}

function takeHangUp(state: CallState, isOver: boolean, nowMs: number): Step {
  const { phase } = state
  if (phase.type !== 'hanging_up') return stay(state)
  const pauseMs = HANG_UP_PAUSES_MS[phase.attempts - 1]
  if (isOver || pauseMs === undefined) return end(state, factsOf(phase.reason, state.hasAnswered), !isOver)
  return stay({ ...state, deadlineMs: nowMs + pauseMs })
}
