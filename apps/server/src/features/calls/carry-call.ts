import { unavailabilityOf } from '@vaani/service-kit/database/database-error'
import type { Hold } from '@vaani/service-kit/work/run-rows'
import { createDialCall, type DialOptions } from './dial-call.ts'
import type { DialledCalls } from './dialled-calls.ts'
import type { RecordingKeeper } from './keep-recording.ts'
import { createFinish } from './finish-call.ts'
import { createPersist } from './persist.ts'
import { prepareCall } from './prepare-call.ts'
import { endOfFailed } from './run-call.ts'
import type { SessionEnd } from './session.ts'
import type { CallOutcome } from './spans.ts'
import type { CallStore } from './store.ts'
import type { UnansweredCalls } from './unanswered-calls.ts'
import type { CallRow } from './view.ts'

/** Calls that have waited longer than this end instead of being given back because the database fails. */
const MAX_WAIT_MS = 3_600_000

export interface CarryOptions extends DialOptions {
  store: DialOptions['store'] & Pick<CallStore, 'giveBack'>
  /** Returns the names of the carriers to try, in order; the first may differ from that of the call. */
  carriersToTry: (call: CallRow) => readonly [string, ...string[]]
  unanswered: Pick<UnansweredCalls, 'add'>
  dialled: Pick<DialledCalls, 'add' | 'delete'>
  recordings: RecordingKeeper
  /** Aborts when steps that could not be written are not tried again. */
  released: AbortSignal
}

/**
 * Carries a claimed call to its end, or gives it back if it cannot be dialled now. Hangs up if the call is canceled, or if the lease
 * is lost, because another worker ends the call as interrupted.
 *
 * @returns undefined if this worker no longer held the call at its end
 */
export type CarryCall = (call: CallRow, hold: Hold) => Promise<CallOutcome | undefined>

export function createCarryCall(options: CarryOptions): CarryCall {
  const { store, unanswered, events, log } = options
  const persist = createPersist(options)
  const dial = createDialCall(options, persist)
  const finish = createFinish(options, persist)

  /** If this fails, the worker finds the call later, among those that it holds but does not carry. */
  async function giveBack(call: CallRow, workerId: string): Promise<undefined> {
    const { call_id } = call
    try {
      if (await store.giveBack(call, workerId)) events.record('call_given_back', { call_id })
    } catch (error) {
      log.warn({ error, call_id }, 'A call that is not dialled could not be given back yet')
    }
  }

  const reroute = ({ call_id: callId, carrier }: CallRow, workerId: string) =>
    persist(() => store.reroute({ callId, workerId, carrier }))

  /** Returns null if the call can be prepared later. */
  function reportUnprepared(call: CallRow, error: unknown): SessionEnd | null {
    const { call_id, waiting_since, dial_started_at } = call
    const waitedMs = Number(dial_started_at) - Number(waiting_since)
    if (unavailabilityOf(error) === null || waitedMs > MAX_WAIT_MS) return endOfFailed(call, error, log)
    log.warn({ error, call_id }, 'A call cannot be prepared yet')
    return null
  }

  return async function carry(claimed, hold) {
    const { workerId, lost } = hold.lease
    using noticed = unanswered.add(claimed.call_id)
    const [carrier, ...others] = options.carriersToTry(claimed)
    const call = { ...claimed, carrier }
    const signal = AbortSignal.any([hold.cut, lost, noticed.canceled])
    const prepared = await prepareCall(call, options, signal).catch((error: unknown) =>
      reportUnprepared(call, error),
    )
    if (hold.cut.aborted || lost.aborted) return giveBack(call, workerId)
    // Given back within seconds, among those that the worker does not carry: at once, it would be claimed again without a pause.
    if (prepared === null) return undefined
    if (!('carrier' in prepared)) return finish(call, workerId, prepared)
    if (carrier !== claimed.carrier) {
      // Nothing is dialled yet.
      const isHeld = await reroute(call, workerId).catch(() => false)
      if (!isHeld || hold.cut.aborted || lost.aborted) return giveBack(call, workerId)
      events.record('call_rerouted', { call_id: call.call_id, carrier })
    }
    // Awaited, because the call is watched until then.
    const { call: dialledCall, end } = await dial({ call, prepared }, others, { ...hold, ...noticed })
    return finish(dialledCall, workerId, end)
  }
}
