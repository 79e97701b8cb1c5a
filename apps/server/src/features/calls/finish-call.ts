import type { Events } from '@vaani/service-kit/telemetry/events'
import type { DialledCalls } from './dialled-calls.ts'
import type { CallEvent } from './events.ts'
import type { RecordingKeeper } from './keep-recording.ts'
import type { Persist } from './persist.ts'
import type { SessionEnd } from './session.ts'
import type { CallOutcome } from './spans.ts'
import type { CallStore } from './store.ts'
import type { CallRow } from './view.ts'

export interface FinishOptions {
  store: Pick<CallStore, 'move'>
  dialled: Pick<DialledCalls, 'delete'>
  recordings: RecordingKeeper
  events: Events<CallEvent>
}

/** Writes the end of a call. Resolves with undefined if this worker no longer held it. */
export const createFinish =
  ({ store, dialled, recordings, events }: FinishOptions, persist: Persist) =>
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
