import path from 'node:path'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Hold } from '@vaani/service-kit/work/run-rows'
import { type CarrierMetrics, countEnd } from './carrier-metrics.ts'
import type { DialledCalls } from './dialled-calls.ts'
import type { CallEvent } from './events.ts'
import type { Persist } from './persist.ts'
import { AGENT_ERROR, prepareCall, type PreparedCall, type PrepareOptions } from './prepare-call.ts'
import { type Attempt as AttemptOf, ringInTurn } from './ring-in-turn.ts'
import { runSession, type SessionEnd, type SessionReports } from './session.ts'
import type { CallStore } from './store.ts'
import type { UnansweredCalls } from './unanswered-calls.ts'
import type { CallRow } from './view.ts'

/** Another worker or a person has ended the call. */
class NotHeldError extends Error {
  override readonly name = 'NotHeldError'
}

type Attempt = AttemptOf<CallRow, PreparedCall>

export interface DialOptions extends PrepareOptions {
  /** Folder of this process for unfinished recordings, which are not encrypted. */
  recordingDirectory: string
  store: Pick<CallStore, 'move' | 'reroute' | 'ring'>
  dialled: Pick<DialledCalls, 'add'>
  events: Events<CallEvent>
  carrierMetrics: CarrierMetrics
}

/** Dials a call at its carrier, and at the others if need be. Never rejects. @returns the call as it was last written, and its end */
export type DialCall = (
  first: Attempt,
  others: readonly string[],
  hold: Hold & Omit<ReturnType<UnansweredCalls['add']>, keyof Disposable>,
) => Promise<{ call: CallRow; end: SessionEnd }>

export function createDialCall(options: DialOptions, persist: Persist): DialCall {
  const { store, dialled, events, log } = options

  function reportFailure({ call_id }: CallRow, error: unknown): SessionEnd {
    log.error({ error, call_id }, 'A call could not be carried')
    return AGENT_ERROR
  }

  async function ring(
    { call, prepared }: Attempt,
    session: { ringTimeoutMs: number; signal: AbortSignal; reports: SessionReports },
  ): Promise<SessionEnd> {
    const { carrier, greeting, speaker } = prepared
    const end = await runSession({
      callId: call.call_id,
      to: call.to_number,
      fromCallerId: call.from_caller_id,
      greeting,
      ...speaker,
      tenant: call.account_id,
      recordingPath: path.join(options.recordingDirectory, `${call.call_id}.wav`),
      carrier,
      ...session,
    }).catch((error: unknown) => reportFailure(call, error))
    countEnd(options.carrierMetrics, { carrier: call.carrier, end: end.end })
    return end
  }

  /** Returns null if the call cannot be dialled at its carrier now. */
  async function prepareNext(call: CallRow): Promise<PreparedCall | null> {
    const prepared = await prepareCall(call, options).catch(() => null)
    return prepared !== null && 'carrier' in prepared ? prepared : null
  }

  return async function dial(first, others, { lease: { workerId, lost }, cut, canceled, answered }) {
    const { call_id } = first.call
    let current = first.call
    dialled.add(workerId, call_id)
    events.record('call_dialled', { call_id, carrier: current.carrier })
    const signal = AbortSignal.any([cut, lost, canceled])
    const reports: SessionReports = {
      async ringing() {
        if (!(await persist(() => store.ring({ callId: call_id, workerId })))) throw new NotHeldError()
      },
      async answered() {
        const moved = await persist(() => store.move({ call: current, workerId, event: 'answered' }))
        if (moved === undefined) throw new NotHeldError()
        answered()
        current = moved
        events.record('call_answered', { call_id })
      },
    }
    const end = await ringInTurn({
      first,
      others,
      ring: (attempt, ringTimeoutMs) => ring(attempt, { ringTimeoutMs, signal, reports }),
      prepare: prepareNext,
      async reroute({ carrier }) {
        // If the write fails, the call ends as it did.
        const isHeld = await persist(() => store.reroute({ callId: call_id, workerId, carrier })).catch(
          () => false,
        )
        if (isHeld) events.record('call_rerouted', { call_id, carrier })
        return isHeld
      },
      signal,
    })
    return { call: current, end }
  }
}
