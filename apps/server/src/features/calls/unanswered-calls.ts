import type { RingingStore } from './ringing-store.ts'

/** Calls that this process dials and nobody has answered. A person may cancel them, in any process. */
export interface UnansweredCalls {
  /** Adds a call. Its signal aborts once the call is found canceled; `answered` removes it, and so does disposing. */
  add(callId: string): { canceled: AbortSignal; answered: () => void } & Disposable
  /** Looks for canceled calls. Costs nothing if all calls are answered. */
  check(): Promise<void>
}

export function createUnansweredCalls(store: Pick<RingingStore, 'listEnded'>): UnansweredCalls {
  const calls = new Map<string, AbortController>()
  return {
    add(callId) {
      const controller = new AbortController()
      const remove = () => void calls.delete(callId)
      calls.set(callId, controller)
      return { canceled: controller.signal, answered: remove, [Symbol.dispose]: remove }
    },
    async check() {
      if (calls.size === 0) return
      for (const callId of await store.listEnded([...calls.keys()])) calls.get(callId)?.abort()
    },
  }
}
