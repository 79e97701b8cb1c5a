import type { Events } from '@vaani/service-kit/telemetry/events'
import type { CallEvent } from './events.ts'
import type { RecordingKeeper } from './keep-recording.ts'
import type { CallStore } from './store.ts'

/** Ends calls that nobody carries. Nobody is rung twice, so they end as interrupted. */
export interface LostCalls {
  /** Ends calls that this worker holds but does not carry, because their end or the reply to their claim was lost. */
  endForgotten(workerId: string, carried: readonly string[]): Promise<void>
  /** Ends calls whose worker is gone. */
  endAbandoned(): Promise<void>
}

export function createLostCalls({
  store,
  recordings,
  events,
}: {
  store: Pick<CallStore, 'interruptAbandoned' | 'listForgotten' | 'move'>
  recordings: Pick<RecordingKeeper, 'discard'>
  events: Events<CallEvent>
}): LostCalls {
  return {
    async endForgotten(workerId, carried) {
      for (const call of await store.listForgotten(workerId, carried)) {
        const { call_id } = call
        const end = { failureReason: 'interrupted' } as const
        if ((await store.move({ call, workerId, event: 'failed', end })) === undefined) continue
        events.record('call_interrupted', { call_id })
        await recordings.discard(call_id)
      }
    },
    async endAbandoned() {
      for (let found = 1; found > 0;) {
        const interrupted = await store.interruptAbandoned()
        for (const call_id of interrupted) events.record('call_interrupted', { call_id })
        await Promise.all(interrupted.map((callId) => recordings.discard(callId)))
        found = interrupted.length
      }
    },
  }
}
