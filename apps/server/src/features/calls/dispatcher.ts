import type { IdMaker } from '@vaani/service-kit/ids'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf } from '@vaani/service-kit/lifecycle/stop-deadline'
import { startClaimLoop } from '@vaani/service-kit/work/claim-loop'
import { repeat } from '@vaani/service-kit/lifecycle/repeat'
import { type CarryOptions, createCarryCall } from './carry-call.ts'
import { createDialledCalls } from './dialled-calls.ts'
import { createIncomingCalls, type IncomingCalls } from './incoming-calls.ts'
import { createRecordingKeeper } from './keep-recording.ts'
import { createLostCalls } from './lost-calls.ts'
import type { RecordingStore } from './recording-store.ts'
import { type CallSpans, traceCall } from './spans.ts'
import type { CallStore } from './store.ts'
import { createUnansweredCalls } from './unanswered-calls.ts'
import type { CallRow } from './view.ts'

/** How late a call is dialled for which a place is free, unless it was placed by this process, and a canceled one hung up. */
export const POLL_MS = 250
/** With 15 s of a lease, and 1 s until another worker notices its expiry, abandoned calls end within 21 s. */
const SWEEP_MS = 5000

/** On stop, hangs up calls that outlast the grace period; they end as interrupted. */
export interface CallDispatcher extends BackgroundWorker {
  /** Signals a call that is due, to dial it now instead of at the next poll. */
  wake(): void
  /** Counts the calls being carried. */
  active(): number
  /** Takes a call that comes in at a number, or refuses it. */
  receive: IncomingCalls['receive']
}

export interface DispatcherOptions extends Omit<
  CarryOptions,
  'dialled' | 'recordings' | 'released' | 'unanswered'
> {
  lease: WorkerLease
  maxCalls: number
  makeId: IdMaker
  store: CallStore
  recordings: RecordingStore
  spans: CallSpans
}

/** Claims due calls and carries them, as many as the worker has places, and settles calls that nobody carries. */
export function startCallDispatcher(options: DispatcherOptions): CallDispatcher {
  const { lease, maxCalls, store, spans, log } = options
  const released = new AbortController()
  const recordings = createRecordingKeeper(options)
  const unanswered = createUnansweredCalls(store)
  const dialled = createDialledCalls()
  const carry = createCarryCall({ ...options, unanswered, dialled, recordings, released: released.signal })
  const incoming = createIncomingCalls({
    ...options,
    unanswered,
    dialled,
    recordings,
    released: released.signal,
    isFull: () => active() >= maxCalls,
  })
  const lost = createLostCalls({ ...options, dialled, recordings, isIncoming: incoming.has })
  /** The account served last. */
  let after = ''
  let lookedForForgottenMs = Number.NEGATIVE_INFINITY

  /** Between claims, so that no call is taken for forgotten whose claim is under way. */
  async function settleForgotten(workerId: string, held: readonly CallRow[]): Promise<void> {
    if (performance.now() - lookedForForgottenMs < SWEEP_MS) return
    await lost.settleForgotten(
      workerId,
      held.map(({ call_id }) => call_id),
    )
    lookedForForgottenMs = performance.now()
  }

  const loop = startClaimLoop<CallRow>({
    name: 'calls',
    lease,
    places: maxCalls,
    pollMs: POLL_MS,
    // Calls that came in have taken places too.
    ahead: () => -incoming.accounts().length,
    async claim({ workerId, room, held }) {
      await settleForgotten(workerId, held)
      const carried = [...held.map(({ account_id }) => account_id), ...incoming.accounts()]
      const claimed = await store.claim({ workerId, free: room, carried, after })
      after = claimed.at(-1)?.account_id ?? after
      return claimed
    },
    work: (call, hold) => traceCall(spans, call, () => carry(call, hold)),
    onClaimError: (error) => log.warn({ error }, 'Calls are waiting for the database'),
    onWorkError: (error, { call_id }) => log.error({ error, call_id }, 'A call was lost'),
  })
  const active = (): number => loop.working() + incoming.accounts().length
  const sweeping = repeat({
    name: 'abandoned calls',
    everyMs: SWEEP_MS,
    run: lost.endAbandoned,
    onError: (error) => log.warn({ error }, 'The sweep of calls failed'),
  })

  const listening = repeat({
    name: 'canceled calls',
    everyMs: POLL_MS,
    run: unanswered.check,
    onError: (error) => log.warn({ error }, 'Canceled calls cannot be looked for'),
  })

  return {
    name: loop.name,
    wake: loop.wake,
    active,
    receive: incoming.receive,
    isWorking: () => loop.isWorking() && sweeping.isWorking() && listening.isWorking(),
    async stop(deadline) {
      const swept = sweeping.stop()
      await Promise.all([loop.stop(deadline), incoming.stop(deadline)])
      released.abort()
      await endOf(listening.stop(), deadline.timeOver)
      await endOf(swept, deadline.timeOver)
    },
  }
}
