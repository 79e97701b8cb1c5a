import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { unavailabilityOf } from '@vaani/service-kit/database/database-error'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Hold } from '@vaani/service-kit/work/run-rows'
import type { CallEvent } from './events.ts'
import type { DialledCalls } from './dialled-calls.ts'
import type { RecordingKeeper } from './keep-recording.ts'
import { type CarrierMetrics, countEnd } from './carrier-metrics.ts'
import { AGENT_ERROR, prepareCall, type PreparedCall, type PrepareOptions } from './prepare-call.ts'
import { runSession, type SessionEnd } from './session.ts'
import type { CallOutcome } from './spans.ts'
import type { CallStore } from './store.ts'
import type { UnansweredCalls } from './unanswered-calls.ts'
import type { CallRow } from './view.ts'

const WRITE_ATTEMPTS = 5
const WRITE_RETRY_MS = 500
/** Calls that have waited longer than this end instead of being given back because the database fails. */
const MAX_WAIT_MS = 3_600_000

/** Another worker or a person has ended the call. */
class NotHeldError extends Error {
  override readonly name = 'NotHeldError'
}

export interface CarryOptions extends PrepareOptions {
  /** Folder of this process for unfinished recordings, which are not encrypted. */
  recordingDirectory: string
  store: Pick<CallStore, 'giveBack' | 'move' | 'ring'>
  unanswered: Pick<UnansweredCalls, 'add'>
  dialled: Pick<DialledCalls, 'add' | 'delete'>
  recordings: RecordingKeeper
  events: Events<CallEvent>
  carrierMetrics: CarrierMetrics
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
  const { store, unanswered, dialled, events, log } = options
  const persist = createPersist(options)
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

  async function dial(
    call: CallRow,
    { carrier, greeting, speaker }: PreparedCall,
    { lease: { workerId, lost }, cut, canceled, answered }: Hold & ReturnType<typeof unanswered.add>,
  ): Promise<CallOutcome | undefined> {
    const { call_id } = call
    let current = call
    dialled.add(workerId, call_id)
    events.record('call_dialled', { call_id, carrier: call.carrier })
    const result = await runSession({
      callId: call_id,
      to: call.to_number,
      fromCallerId: call.from_caller_id,
      greeting,
      ...speaker,
      tenant: call.account_id,
      recordingPath: path.join(options.recordingDirectory, `${call_id}.wav`),
      carrier,
      signal: AbortSignal.any([cut, lost, canceled]),
      reports: {
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
      },
    }).catch((error: unknown) => reportFailure(call, error))
    countEnd(options.carrierMetrics, { carrier: call.carrier, end: result.end })
    return finish(current, workerId, result)
  }

  /** Returns null if the call can be prepared later. */
  function reportUnprepared(call: CallRow, error: unknown): SessionEnd | null {
    const { call_id, waiting_since, dial_started_at } = call
    const waitedMs = Number(dial_started_at) - Number(waiting_since)
    if (unavailabilityOf(error) === null || waitedMs > MAX_WAIT_MS) return reportFailure(call, error)
    log.warn({ error, call_id }, 'A call cannot be prepared yet')
    return null
  }

  function reportFailure({ call_id }: CallRow, error: unknown): SessionEnd {
    log.error({ error, call_id }, 'A call could not be carried')
    return AGENT_ERROR
  }

  return async function carry(call, hold) {
    const { workerId, lost } = hold.lease
    using noticed = unanswered.add(call.call_id)
    const prepared = await prepareCall(call, options).catch((error: unknown) => reportUnprepared(call, error))
    if (hold.cut.aborted || lost.aborted) return giveBack(call, workerId)
    // Given back within seconds, among those that the worker does not carry: at once, it would be claimed again without a pause.
    if (prepared === null) return undefined
    // Awaited, because the call is watched until then.
    if ('carrier' in prepared) return await dial(call, prepared, { ...hold, ...noticed })
    return finish(call, workerId, prepared)
  }
}

/** Writes the end of a call. */
const createFinish =
  ({ store, dialled, recordings, events }: CarryOptions, persist: Persist) =>
  async (call: CallRow, workerId: string, result: SessionEnd): Promise<CallOutcome | undefined> => {
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
    // Still known as dialled: a standby that took over with fewer writes may show it as queued again.
    if (moved === undefined) return undefined
    dialled.delete(call.call_id)
    const outcome = moved.failure_reason ?? 'completed'
    events.record('call_ended', { call_id: call.call_id, outcome })
    return outcome
  }

type Persist = <Result>(write: () => Promise<Result>) => Promise<Result>

/** Retries a write, so that a short database outage does not lose the end of a call. After longer ones it ends as interrupted. */
const createPersist =
  ({ log, released }: Pick<CarryOptions, 'log' | 'released'>): Persist =>
  async (write) => {
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
