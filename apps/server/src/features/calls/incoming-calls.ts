import type { Clock } from '@vaani/service-kit/clock'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Lease, WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import { endOf, type StopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Id } from '@vaani/contracts'
import type { IncomingCall, IncomingRefusal } from '@vaani/telephony'
import type { InboundNumber } from './carriers/carriers-file.ts'
import type { DialledCalls } from './dialled-calls.ts'
import { createFinish, type FinishOptions } from './finish-call.ts'
import { createPersist } from './persist.ts'
import { isCallable } from './rules/calling-hours.ts'
import { AGENT_ERROR, prepareSpeech, type PrepareOptions } from './prepare-call.ts'
import { createReports, endOfFailed, runCall, type RunOptions } from './run-call.ts'
import { type CallOutcome, type CallSpans, traceCall } from './spans.ts'
import type { CallStore } from './store.ts'
import type { UnansweredCalls } from './unanswered-calls.ts'
import type { CallRow } from './view.ts'

export interface IncomingCallsOptions
  extends FinishOptions, RunOptions, Pick<PrepareOptions, 'addNotice' | 'agents' | 'chooseSpeaker'> {
  store: Pick<CallStore, 'move' | 'receive' | 'ring'>
  dialled: Pick<DialledCalls, 'add' | 'delete'>
  unanswered: Pick<UnansweredCalls, 'add'>
  lease: WorkerLease
  spans: CallSpans
  clock: Clock
  makeId: IdMaker
  /** Whether every place of the worker is taken. */
  isFull: () => boolean
  /** Aborts when steps that could not be written are not tried again. */
  released: AbortSignal
}

/** Takes calls that come in, and carries each to its end. */
export interface IncomingCalls {
  /** Takes a call, or refuses it if nobody has the number, no place is free, or the worker is stopping or without a lease. */
  receive(number: InboundNumber | undefined, incoming: IncomingCall, carrier: string): void
  /** Whether a call is being carried. */
  has(callId: string): boolean
  /** Returns the account of each call that is being carried. */
  accounts(): string[]
  /** Takes no more calls. Those under way are hung up when the grace period is over. */
  stop(deadline: StopDeadline): Promise<void>
}

export function createIncomingCalls(options: IncomingCallsOptions): IncomingCalls {
  const { store, dialled, lease, spans, clock, events, makeId, isFull, log } = options
  const carry = createCarryIncoming(options)
  const carried = new Map<string, { number: InboundNumber; ended: Promise<void> }>()
  const countOf = (number: InboundNumber): number =>
    [...carried.values()].filter((call) => call.number === number).length
  const cut = new AbortController()
  let isStopping = false

  function turnAway(incoming: IncomingCall, carrier: string, reason: IncomingRefusal): void {
    incoming.refuse(reason)
    events.record('call_turned_away', { carrier, reason })
  }

  /** Never rejects. */
  async function take(
    callId: string,
    { number: to, account, agent: agentId, mode, carrier }: InboundNumber,
    incoming: IncomingCall,
    holder: Lease,
  ): Promise<void> {
    const { workerId } = holder
    // The operator's file names the account.
    const accountId = account as Id<'account'>
    const from = incoming.from ?? null
    dialled.add(workerId, callId)
    try {
      const received = { callId, accountId, livemode: mode === 'live', to, from, agentId, carrier }
      const call = await store.receive(received, workerId)
      if (call === undefined) return turnAway(incoming, carrier, 'unavailable')
      events.record('call_received', { call_id: callId, carrier })
      await traceCall(spans, call, () => carry(call, incoming, { lease: holder, cut: cut.signal }))
    } catch (error) {
      // If it was written after all, the worker finds it later, among those that it holds but does not carry.
      log.error({ error, call_id: callId }, 'A call that came in could not be taken')
      turnAway(incoming, carrier, 'unavailable')
    }
  }

  return {
    receive(number, incoming, carrier) {
      const holder = lease.current()
      if (number === undefined) return turnAway(incoming, carrier, 'unknown_number')
      if (isStopping || holder === null) return turnAway(incoming, carrier, 'unavailable')
      const { hours, timeZone, channels = Infinity } = number
      if (!isCallable(hours, timeZone === undefined ? [] : [timeZone], clock.nowMs()))
        return turnAway(incoming, carrier, 'unavailable')
      if (isFull() || countOf(number) >= channels) return turnAway(incoming, carrier, 'busy')
      const callId = makeId('call')
      const ended = take(callId, number, incoming, holder).finally(() => carried.delete(callId))
      carried.set(callId, { number, ended })
    },
    has: (callId) => carried.has(callId),
    accounts: () => [...carried.values()].map(({ number }) => number.account),
    async stop({ graceOver, timeOver }) {
      isStopping = true
      const ended = Promise.all([...carried.values()].map((call) => call.ended))
      await endOf(ended, graceOver)
      cut.abort()
      await endOf(ended, timeOver)
    },
  }
}

/** Answers a call that was written, speaks with its caller, and writes its end. */
function createCarryIncoming(options: IncomingCallsOptions) {
  const { unanswered, log } = options
  const persist = createPersist(options)
  const finish = createFinish(options, persist)

  return async function carry(
    call: CallRow,
    incoming: IncomingCall,
    { lease: { workerId, lost }, cut }: { lease: Lease; cut: AbortSignal },
  ): Promise<CallOutcome | undefined> {
    using noticed = unanswered.add(call.call_id)
    const prepared = await prepareSpeech(call, options).catch((error: unknown) => {
      endOfFailed(call, error, log)
      return null
    })
    if (prepared === null) {
      incoming.refuse('unavailable')
      return await finish(call, workerId, AGENT_ERROR)
    }
    const reports = createReports({ ...options, call, workerId, persist, onAnswered: noticed.answered })
    const end = await runCall(options, {
      call,
      prepared,
      connect: (request) => incoming.answer(request),
      reports,
      signal: AbortSignal.any([cut, lost, noticed.canceled]),
    })
    return await finish(reports.current(), workerId, end)
  }
}
