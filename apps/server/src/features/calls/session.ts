import { LIMITS } from '@vaani/contracts'
import type { CallEndedBy, CallFailureReason, CallTurn } from '@vaani/contracts'
import { createLiveSpeech, type Lexicon, type SpeechEngine, SpeechError } from '@vaani/speech'
import type { AnswerRequest, CallEnded, CallOutcome, CarrierCall } from '@vaani/telephony'
import type { Greeting } from './rules/greeting.ts'
import { type AgentSpeech, heardTurns } from './rules/heard-turns.ts'
import { describeLine } from './rules/line-end.ts'
import type { CallEnd } from './call-step.ts'

/** Callbacks for the steps of a session. The session awaits each, so that a step is written before the next one. */
export interface SessionReports {
  ringing(): Promise<void>
  /** @param farewell with which another process can hang up, if the carrier has one */
  answered(farewell: string | undefined): Promise<void>
}

/** How long an answered call may go on. */
export interface PaidTime {
  /** Resolves with true where a minute ends after which none may begin, and with false once the call is over. */
  runOut(over: AbortSignal): Promise<boolean>
}

/** The end of a call, as written to the store, and the recording that is still to be stored. */
export interface SessionEnd {
  completed: boolean
  end: CallEnd
  recordingPath: string | undefined
  /** What was heard; undefined if nobody answered, or if the carrier cannot know. */
  turns: readonly CallTurn[] | undefined
  /** Set if the trunk took no calls (503) and nothing rang, so that another carrier may be tried. */
  untaken?: true
  /** System error code, e.g. `ENOSPC`, if an answered call could not be recorded. */
  recordingFailure: string | undefined
}

const MS_PER_SECOND = 1000
/** RFC 3261, section 21.5.4. */
const SERVICE_UNAVAILABLE = 503

const FAILURES: Readonly<Record<Exclude<CallOutcome, 'completed' | 'duration_limit'>, CallFailureReason>> = {
  busy: 'busy',
  no_answer: 'no-answer',
  rejected: 'rejected',
  unreachable: 'unreachable',
  canceled: 'interrupted',
  carrier_error: 'carrier-error',
}

/**
 * Carries one call: connects it, speaks the greeting once answered, and hangs up.
 *
 * @throws Error if the carrier ends the events of the call before its end
 */
export async function runSession(options: {
  callId: string
  /** Dials the call, or answers it. */
  connect: (request: AnswerRequest) => CarrierCall
  greeting: Greeting
  voice: string
  /** Account, for fair scheduling of speech among the calls and streams of all accounts. */
  tenant: string
  /** Absent if the call is not recorded. */
  recordingPath?: string
  /** 1 by default. */
  speed?: number
  engine: SpeechEngine
  lexicon?: Lexicon
  reports: SessionReports
  /** Absent if the call may last as long as any. */
  paidTime?: PaidTime | undefined
  /** Aborting hangs up, and the call ends as interrupted. */
  signal: AbortSignal
}): Promise<SessionEnd> {
  const { callId, connect, greeting, recordingPath, reports, signal } = options
  const speech: AgentSpeech = { language: greeting.language, marks: [], durationMs: null }
  let agentFailure: CallFailureReason | undefined
  let hasRung = false
  let answered = false
  let isPaidOut = false
  const over = new AbortController()
  const call = connect({
    callId,
    maxDurationMs: LIMITS.callDurationSeconds * MS_PER_SECOND,
    ...(recordingPath !== undefined && { recordingPath }),
    signal,
  })
  const fail = (reason: CallFailureReason) => {
    agentFailure ??= reason
    call.hangUp()
  }
  const endWhenPaidOut = async () => {
    isPaidOut = (await options.paidTime?.runOut(over.signal)) ?? false
    if (isPaidOut) call.hangUp()
  }
  try {
    for await (const event of call.events) {
      if (event.type === 'ringing') {
        hasRung = true
        await reports.ringing().catch(() => fail('interrupted'))
      } else if (event.type === 'answered') {
        answered = true
        // Not awaited, because events continue while the agent speaks.
        void speak(call, { ...options, speech }).catch(() => fail('agent-error'))
        void endWhenPaidOut()
        await reports.answered(event.farewell).catch(() => fail('interrupted'))
      } else if (event.type === 'ended') {
        const interrupted = signal.aborted ? 'interrupted' : undefined
        const ended =
          isPaidOut && event.endedBy === 'agent' ? { ...event, endedBy: 'duration_limit' as const } : event
        const end = describeEnd({ event: ended, answered, failure: agentFailure ?? interrupted, speech })
        return wasUntaken(event) && !hasRung && !answered ? { ...end, untaken: true } : end
      }
    }
  } finally {
    over.abort()
  }
  throw new Error('A carrier ended the events of a call before its end')
}

/** Speaks the greeting, and hangs up after its last frame has been played. Notes in `speech` what it says. */
async function speak(
  call: CarrierCall,
  options: Parameters<typeof runSession>[0] & { speech: AgentSpeech },
): Promise<void> {
  const { greeting, voice, tenant, engine, lexicon, speech, speed = 1 } = options
  const live = createLiveSpeech({
    engine,
    ...(lexicon && { lexicon }),
    language: greeting.language,
    voice,
    emotion: 'neutral',
    speed,
    tenant,
  })
  // An aborted session ends its call, too.
  void call.ended.then(() => live.close())
  if (greeting.notice !== undefined) live.hear({ type: 'speak', text: `${greeting.notice} ` })
  live.hear({ type: 'speak', text: greeting.text })
  live.hear({ type: 'end' })
  let isAudible = false
  for (let event = await live.next(); event !== undefined; event = await live.next())
    switch (event.type) {
      case 'mark':
        speech.marks.push(event)
        break
      case 'audio':
        isAudible ||= event.samples.some(Boolean)
        await call.send(event.samples)
        break
      case 'ended':
        speech.durationMs = event.durationMs
        if (!isAudible) throw new SpeechError('nothing_to_speak', 'Nothing of the greeting has a sound')
        await call.drained()
        call.hangUp()
    }
}

/**
 * Returns whether a trunk refused the call for want of service. Nothing else proves that no phone has rung: a request without a
 * response may have arrived.
 */
const wasUntaken = ({ outcome, sipStatus }: CallEnded): boolean =>
  outcome === 'carrier_error' && sipStatus === SERVICE_UNAVAILABLE

/** Converts the carrier's outcome to the API's terms. */
export function describeEnd(options: {
  event: CallEnded
  answered: boolean
  failure: CallFailureReason | undefined
  speech: AgentSpeech
}): SessionEnd {
  const { event, answered, failure, speech } = options
  const { outcome, endedBy, durationMs, played, recording, recordingFailure } = event
  const spoken: CallEnd = answered
    ? { durationSeconds: durationMs / MS_PER_SECOND, endedBy: endedBy satisfies CallEndedBy }
    : {}
  const line = describeLine(event, { answered })
  const completed = failure === undefined && (outcome === 'completed' || outcome === 'duration_limit')
  const turns = played && heardTurns({ speech, played, endedBy })
  const kept = { completed, recordingPath: recording?.path, turns, recordingFailure }
  if (completed) return { ...kept, end: { ...spoken, ...line } }
  const failureReason = failure ?? reasonOf(event)
  return { ...kept, end: { ...spoken, ...line, failureReason } }
}

function reasonOf({ outcome, endedBy }: CallEnded): CallFailureReason {
  if (outcome === 'completed' || outcome === 'duration_limit') return 'carrier-error'
  // One who called, and hung up before we answered.
  if (outcome === 'canceled' && endedBy === 'callee') return 'canceled'
  return FAILURES[outcome]
}
