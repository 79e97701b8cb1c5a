import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Carriers } from './carriers/carriers.ts'
import type { CallEvent } from './events.ts'
import type { DialledCalls } from './dialled-calls.ts'
import type { RecordingKeeper } from './keep-recording.ts'
import { type CallStore, FORGOTTEN_ROWS } from './store.ts'

/**
 * Looks for calls that nobody carries. Nobody is rung twice, so those that may have been dialled end as interrupted; the others are
 * given back.
 */
export interface LostCalls {
  /**
   * Settles calls that this worker holds but does not carry: ends those whose end was lost, and gives back those that it never
   * dialled, because it could not prepare them, or the reply to their claim was lost.
   */
  settleForgotten(workerId: string, carried: readonly string[]): Promise<void>
  /** Ends calls whose worker is gone. */
  endAbandoned(): Promise<void>
}

export function createLostCalls({
  store,
  dialled,
  isIncoming,
  carriers,
  recordings,
  events,
}: {
  store: Pick<CallStore, 'giveBack' | 'interruptAbandoned' | 'listForgotten' | 'move'>
  dialled: Pick<DialledCalls, 'delete' | 'has' | 'keepOnly'>
  /** Whether this process carries the call, which came in. Its claim cannot be under way, but its first write can. */
  isIncoming: (callId: string) => boolean
  carriers: Pick<Carriers, 'find'>
  recordings: Pick<RecordingKeeper, 'discard'>
  events: Events<CallEvent>
}): LostCalls {
  return {
    async settleForgotten(workerId, carried) {
      const forgotten = await store.listForgotten(workerId, carried)
      if (forgotten.length < FORGOTTEN_ROWS)
        dialled.keepOnly([...carried, ...forgotten.map(({ call_id }) => call_id)])
      for (const call of forgotten) {
        const { call_id } = call
        if (isIncoming(call_id)) continue
        if (!dialled.has(call_id) && (await store.giveBack(call, workerId))) {
          events.record('call_given_back', { call_id })
          continue
        }
        const end = { failureReason: 'interrupted' } as const
        const moved = await store.move({ call, workerId, event: 'failed', end })
        if (moved === undefined) continue
        dialled.delete(call_id)
        events.record('call_interrupted', { call_id })
        await recordings.discard(call_id)
      }
    },
    async endAbandoned() {
      for (let found = 1; found > 0;) {
        const interrupted = await store.interruptAbandoned()
        for (const call of interrupted) {
          events.record('call_interrupted', { call_id: call.call_id })
          // Once, and only after the call is written as ended: an end that is not heard costs what silence does.
          if (call.farewell !== null) carriers.find(call.carrier)?.hangUpLeft?.(call.farewell)
        }
        await Promise.all(interrupted.map(({ call_id: callId }) => recordings.discard(callId)))
        found = interrupted.length
      }
    },
  }
}
