/** Calls that this process handed to a carrier under its present lease, until their end is written or another has ended them. */
export interface DialledCalls {
  add(workerId: string, callId: string): void
  delete(callId: string): void
  has(callId: string): boolean
  /** Forgets all other calls. */
  keepOnly(callIds: readonly string[]): void
}

export function createDialledCalls(): DialledCalls {
  let worker = ''
  let calls = new Set<string>()
  return {
    add(workerId, callId) {
      // Other workers end the calls of a lost lease.
      if (workerId !== worker) calls = new Set()
      worker = workerId
      calls.add(callId)
    },
    delete: (callId) => void calls.delete(callId),
    has: (callId) => calls.has(callId),
    keepOnly(callIds) {
      calls = new Set(callIds.filter((callId) => calls.has(callId)))
    },
  }
}
