import { LIMITS } from '@vaani/contracts'
import type { CallEndedBy, CallFailureReason } from '@vaani/contracts'
import { type SpeechEngine, SpeechError, streamSpeech } from '@vaani/speech'
import type { CallEnded, CallOutcome, Carrier, CarrierCall } from '@vaani/telephony'
import type { Greeting } from './rules/greeting.ts'
import type { CallEnd } from './store.ts'

/** What a session tells as it goes. Each is awaited, so that a step is written before the next one is taken. */
export interface SessionReports {
  answered(): Promise<void>
}

/** How a call ended: as it is written to the store, and the recording that has still to be kept. */
export interface SessionEnd {
  completed: boolean
  end: CallEnd
  recordingPath: string | undefined
  /** Why there is no recording of a call that was answered: a system code, such as `ENOSPC`. */
  recordingFailure: string | undefined
}

const MS_PER_SECOND = 1000

const FAILURES: Readonly<Record<Exclude<CallOutcome, 'completed' | 'duration_limit'>, CallFailureReason>> = {
  busy: 'busy',
  no_answer: 'no-answer',
  rejected: 'rejected',
  unreachable: 'unreachable',
  canceled: 'interrupted',
  carrier_error: 'carrier-error',
}

/** Carries one call from the dial to its end: rings, speaks the greeting once answered, hangs up. Never rejects. */
export async function runSession(options: {
  callId: string
  to: string
  fromCallerId: string | null
  greeting: Greeting
  voice: string
  /** The account, whose calls and streams take turns with those of others. */
  tenant: string
  recordingPath: string
  carrier: Carrier
  engine: SpeechEngine
  reports: SessionReports
  /** Aborting hangs up: the call ends as interrupted. */
  signal: AbortSignal
}): Promise<SessionEnd> {
  const { callId, to, fromCallerId, recordingPath, carrier, reports, signal } = options
  let agentFailure: CallFailureReason | undefined
  let answered = false
  const call = carrier.dial({
    callId,
    to,
    ...(fromCallerId !== null && { fromCallerId }),
    ringTimeoutMs: LIMITS.ringSeconds * MS_PER_SECOND,
    maxDurationMs: LIMITS.callDurationSeconds * MS_PER_SECOND,
    recordingPath,
    signal,
  })
  const fail = (reason: CallFailureReason) => {
    agentFailure ??= reason
    call.hangUp()
  }
  for await (const event of call.events) {
    if (event.type === 'answered') {
      answered = true
      // Not awaited: the events go on while the agent speaks.
      void speak(call, options).catch((error: unknown) =>
        fail(isAbort(error) ? 'interrupted' : 'agent-error'),
      )
      await reports.answered().catch(() => fail('interrupted'))
    } else if (event.type === 'ended') {
      const interrupted = signal.aborted ? 'interrupted' : undefined
      return describeEnd({ event, answered, failure: agentFailure ?? interrupted })
    }
  }
  throw new Error('A carrier ended the events of a call before its end')
}

/** Says the greeting and hangs up when the last of it has been heard. */
async function speak(call: CarrierCall, options: Parameters<typeof runSession>[0]): Promise<void> {
  const { greeting, voice, tenant, engine, signal } = options
  const ended = new AbortController()
  void call.ended.then(() => ended.abort())
  const frames = streamSpeech({
    engine,
    text: greeting.text,
    language: greeting.language,
    voice,
    emotion: 'neutral',
    speed: 1,
    tenant,
    signal: AbortSignal.any([signal, ended.signal]),
  })
  try {
    for await (const frame of frames) await call.send(frame)
  } catch (error) {
    // Whoever hung up has ended the call; there is nobody left to speak to.
    if (ended.signal.aborted && !signal.aborted) return
    throw error
  }
  await call.drained()
  call.hangUp()
}

const isAbort = (error: unknown): boolean => error instanceof SpeechError && error.code === 'aborted'

/** The carrier's outcome as the interface tells it. */
export function describeEnd(options: {
  event: CallEnded
  answered: boolean
  failure: CallFailureReason | undefined
}): SessionEnd {
  const { event, answered, failure } = options
  const { outcome, endedBy, durationMs, recording, recordingFailure } = event
  const spoken: CallEnd = answered
    ? { durationSeconds: durationMs / MS_PER_SECOND, endedBy: endedBy satisfies CallEndedBy }
    : {}
  const completed = failure === undefined && (outcome === 'completed' || outcome === 'duration_limit')
  const kept = { completed, recordingPath: recording?.path, recordingFailure }
  if (completed) return { ...kept, end: spoken }
  const failureReason =
    failure ?? (outcome === 'completed' || outcome === 'duration_limit' ? 'carrier-error' : FAILURES[outcome])
  return { ...kept, end: { ...spoken, failureReason } }
}
