import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Hold } from '@vaani/service-kit/work/run-rows'
import type { DialledCalls } from './dialled-calls.ts'
import type { CallEvent } from './events.ts'
import type { DialWithinCaps } from './paid-time.ts'
import type { Persist } from './persist.ts'
import { prepareCall, type PreparedCall, type PrepareOptions } from './prepare-call.ts'
import { type Attempt as AttemptOf, ringInTurn } from './ring-in-turn.ts'
import { createReports, runCall, type RunOptions } from './run-call.ts'
import type { PaidTime, SessionEnd, SessionReports } from './session.ts'
import type { CallStore } from './store.ts'
import type { UnansweredCalls } from './unanswered-calls.ts'
import type { CallRow } from './view.ts'

type Attempt = AttemptOf<CallRow, PreparedCall>

export interface DialOptions extends PrepareOptions, RunOptions {
  store: Pick<CallStore, 'move' | 'reroute' | 'ring'>
  dialled: Pick<DialledCalls, 'add'>
  events: Events<CallEvent>
  dialWithinCaps: DialWithinCaps
}

/** Dials a call at its carrier, and at the others if need be. Never rejects. @returns the call as it was last written, and its end */
export type DialCall = (
  first: Attempt,
  others: readonly string[],
  hold: Hold & Omit<ReturnType<UnansweredCalls['add']>, keyof Disposable>,
) => Promise<{ call: CallRow; end: SessionEnd }>

export function createDialCall(options: DialOptions, persist: Persist): DialCall {
  const { store, dialled, events, dialWithinCaps, log } = options

  const ring = (
    { call, prepared }: Attempt,
    session: {
      ringTimeoutMs: number
      signal: AbortSignal
      reports: SessionReports
      paidTime: PaidTime | undefined
    },
  ): Promise<SessionEnd> => {
    const { ringTimeoutMs, ...more } = session
    return runCall(options, {
      call,
      prepared,
      connect: (request) =>
        prepared.carrier.dial({
          ...request,
          to: call.to_number,
          ...(call.from_caller_id !== null && { fromCallerId: call.from_caller_id }),
          ringTimeoutMs,
        }),
      ...more,
    })
  }

  /** Returns null if the call cannot be dialled at its carrier now. */
  async function prepareNext(call: CallRow, signal: AbortSignal): Promise<PreparedCall | null> {
    const prepared = await prepareCall(call, options, signal).catch((error: unknown) => {
      log.warn(
        { error, call_id: call.call_id, carrier: call.carrier },
        'A call cannot go on to another carrier',
      )
      return null
    })
    return prepared !== null && 'carrier' in prepared ? prepared : null
  }

  return async function dial(first, others, { lease: { workerId, lost }, cut, canceled, answered }) {
    const { call_id } = first.call
    dialled.add(workerId, call_id)
    events.record('call_dialled', { call_id, carrier: first.call.carrier })
    const signal = AbortSignal.any([cut, lost, canceled])
    const reports = createReports({ ...options, call: first.call, workerId, persist, onAnswered: answered })
    const end = await ringInTurn({
      first,
      others,
      ring: (attempt, ringTimeoutMs) =>
        dialWithinCaps(
          capped(attempt.call),
          (paidTime) => ring(attempt, { ringTimeoutMs, signal, reports, paidTime }),
          persist,
        ),
      prepare: (call) => prepareNext(call, signal),
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
    return { call: reports.current(), end }
  }
}

const capped = ({ call_id: callId, account_id: accountId, livemode, to_number: to, carrier }: CallRow) => ({
  callId,
  accountId,
  livemode,
  to,
  carrier,
})
