export interface WaitingCall {
  callId: string
  accountId: string
}

/** Calls that are due and wait for a place on this worker. Accounts take turns, so that none waits for another's burst. */
export interface WaitingCalls {
  /** Does nothing if the call waits already, or too many do: the sweep finds it again. */
  add(call: WaitingCall): void
  /**
   * Takes the oldest call of the account with the fewest places; of those with as many, of the one whose turn was longest
   * ago. The last free place is for an account that has none, so that a burst leaves it to others.
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
