export interface WaitingCall {
  callId: string
  accountId: string
}

/** Calls that are due and wait for a slot on this worker. Accounts take turns, so that none waits for another's burst. */
export interface WaitingCalls {
  /** Adds a call. A no-op if the call already waits, or if too many wait; the sweep finds it again. */
  add(call: WaitingCall): void
  /**
   * Takes the oldest call of the account that holds the fewest slots. Ties go to the account whose turn was longest ago. The
   * last free slot is reserved for an account that holds none, so that a burst leaves it to others.
   */
  take(places: { free: number; heldBy: (accountId: string) => number }): WaitingCall | undefined
  size(): number
}

/** About 10 MB. */
const MAX_WAITING = 100_000

export function createWaitingCalls(): WaitingCalls {
  const accounts = new Map<string, Set<string>>()
  const waiting = new Set<string>()

  return {
    add({ callId, accountId }) {
      if (waiting.has(callId) || waiting.size >= MAX_WAITING) return
      waiting.add(callId)
      const calls = accounts.get(accountId)
      if (calls === undefined) accounts.set(accountId, new Set([callId]))
      else calls.add(callId)
    },
    take({ free, heldBy }) {
      if (free < 1) return undefined
      let chosen: { accountId: string; held: number } | undefined
      for (const accountId of accounts.keys()) {
        const held = heldBy(accountId)
        if ((free > 1 || held === 0) && held < (chosen?.held ?? Infinity)) chosen = { accountId, held }
      }
      const calls = chosen && accounts.get(chosen.accountId)
      const callId = calls?.values().next().value
      if (chosen === undefined || calls === undefined || callId === undefined) return undefined
      calls.delete(callId)
      waiting.delete(callId)
      accounts.delete(chosen.accountId)
      if (calls.size > 0) accounts.set(chosen.accountId, calls)
      return { callId, accountId: chosen.accountId }
    },
    size: () => waiting.size,
  }
}
