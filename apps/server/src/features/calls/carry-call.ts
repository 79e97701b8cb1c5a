import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { STREAM_VOICES } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Hold } from '@vaani/service-kit/work/run-rows'
import type { Carriers } from './carriers/carriers.ts'
import type { AgentsPort } from '../agents/port.ts'
import type { SpeechPort } from '../speech/port.ts'
import type { CallEvent } from './events.ts'
import type { RecordingKeeper } from './keep-recording.ts'
import { composeGreeting } from './rules/greeting.ts'
import { runSession, type SessionEnd } from './session.ts'
import type { CallOutcome } from './spans.ts'
import type { CallStore } from './store.ts'
import type { UnansweredCalls } from './unanswered-calls.ts'
import type { CallRow } from './view.ts'

const WRITE_ATTEMPTS = 5
const WRITE_RETRY_MS = 500

/**
 * End of a call whose agent changed after it was placed, so that its greeting with the metadata is now too long, or whose
 * voice was erased.
 */
const UNSPEAKABLE: SessionEnd = {
  completed: false,
  end: { failureReason: 'agent-error' },
  recordingPath: undefined,
  recordingFailure: undefined,
}

/** End of a call whose carrier was removed from the operator's file after it was placed. */
const NO_CARRIER: SessionEnd = { ...UNSPEAKABLE, end: { failureReason: 'carrier-error' } }

/** Another worker or a person has ended the call. */
class NotHeldError extends Error {
  override readonly name = 'NotHeldError'
}

export interface CarryOptions {
  /** Folder of this process for unfinished recordings, which are not encrypted. */
  recordingDirectory: string
  store: Pick<CallStore, 'move' | 'ring'>
  unanswered: Pick<UnansweredCalls, 'add'>
  agents: AgentsPort
  carriers: Pick<Carriers, 'find'>
  chooseSpeaker: SpeechPort['chooseSpeaker']
  recordings: RecordingKeeper
  events: Events<CallEvent>
  log: Logger
  /** Aborts when steps that could not be written are not tried again. */
  released: AbortSignal
}

/**
 * Carries a claimed call to its end. Hangs up if the call is canceled, or if the lease is lost, because another worker ends the
 * call as interrupted.
 *
 * @returns undefined if this worker no longer held the call at its end
 */
export type CarryCall = (call: CallRow, hold: Hold) => Promise<CallOutcome | undefined>

export function createCarryCall(options: CarryOptions): CarryCall {
  const { store, unanswered, agents, carriers, recordings, events, log } = options
  const persist = createPersist(options)

  async function finish(
    call: CallRow,
    workerId: string,
    result: SessionEnd,
  ): Promise<CallOutcome | undefined> {
    const recording = await recordings.keep(call.call_id, result)
    const moved = await persist(() =>
      store.move({
        call,
        workerId,
        event: result.completed ? 'ended' : 'failed',
        end: { ...result.end, ...(recording && { recording }) },
      }),
    )
    if (moved === undefined && recording) await recordings.discard(call.call_id)
    if (moved === undefined) return undefined
    const outcome = moved.failure_reason ?? 'completed'
    events.record('call_ended', { call_id: call.call_id, outcome })
    return outcome
  }

  return async function carry(call, { lease: { workerId, lost }, cut }) {
    events.record('call_dialled', { call_id: call.call_id, carrier: call.carrier })
    let current = call
    using dialled = unanswered.add(call.call_id)
    try {
      const carrier = carriers.find(call.carrier)
      if (carrier === undefined) {
        log.error(
          { call_id: call.call_id, carrier: call.carrier },
          'The carrier of a call is not in the file any more',
        )
        return await finish(current, workerId, NO_CARRIER)
      }
      const agent = await findAgent(agents, call)
      const greeting = composeGreeting({ agent, language: call.language, metadata: call.metadata ?? {} })
      if (greeting === null) return await finish(current, workerId, UNSPEAKABLE)
      const { language } = greeting
      const speaker = await findSpeaker(options.chooseSpeaker, call, { language, voice: agent.voice })
      if (speaker === null) return await finish(current, workerId, UNSPEAKABLE)
      const result = await runSession({
        callId: call.call_id,
        to: call.to_number,
        fromCallerId: call.from_caller_id,
        greeting,
        ...speaker,
        tenant: call.account_id,
        recordingPath: path.join(options.recordingDirectory, `${call.call_id}.wav`),
        carrier,
        signal: AbortSignal.any([cut, lost, dialled.canceled]),
        reports: {
          async ringing() {
            if (!(await persist(() => store.ring({ callId: call.call_id, workerId }))))
              throw new NotHeldError()
          },
          async answered() {
            const moved = await persist(() => store.move({ call: current, workerId, event: 'answered' }))
            if (moved === undefined) throw new NotHeldError()
            dialled.answered()
            current = moved
            events.record('call_answered', { call_id: call.call_id })
          },
        },
      })
      return await finish(current, workerId, result)
    } catch (error) {
      log.error({ error, call_id: call.call_id }, 'A call could not be carried')
      const end = { failureReason: 'agent-error' } as const
      await persist(() => store.move({ call: current, workerId, event: 'failed', end }))
      return 'agent-error'
    }
  }
}

/** Retries a write, so that a short database outage does not lose the end of a call. After longer ones it ends as interrupted. */
const createPersist =
  ({ log, released }: Pick<CarryOptions, 'log' | 'released'>) =>
  async <Result>(write: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write()
      } catch (error) {
        if (attempt === WRITE_ATTEMPTS) throw error
        log.warn({ error, attempt }, 'A step of a call could not be written; trying again')
        await delay(WRITE_RETRY_MS * attempt, undefined, { signal: released })
      }
    }
  }

async function findAgent(agents: AgentsPort, call: CallRow) {
  const agent = await agents.find({ accountId: call.account_id, livemode: call.livemode }, call.agent_id)
  if (agent === undefined) throw new Error('The agent of a call is gone')
  return agent
}

/** Returns null if nothing speaks as the agent should. */
async function findSpeaker(
  chooseSpeaker: SpeechPort['chooseSpeaker'],
  call: CallRow,
  wanted: { language: string; voice: string },
) {
  const principal = { accountId: call.account_id, livemode: call.livemode }
  try {
    const { language: _, ...speaker } = await chooseSpeaker({
      principal,
      ...wanted,
      builtInVoices: STREAM_VOICES,
    })
    return speaker
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null
    throw error
  }
}
