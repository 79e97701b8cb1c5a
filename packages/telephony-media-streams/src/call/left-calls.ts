import type { Callback } from '../provider/provider.ts'

/** Calls that have ended for us although the provider may still have them, because it did not answer. */
export interface LeftCalls {
  /** Remembers a call for as long as it may last. */
  add(reference: string, lastsMs: number): void
  /** Takes a report, and hangs the call up if it is one of them. */
  report(reference: string, callback: Callback): void
}

/** Beyond it the oldest is forgotten: its own limits end it. */
const MOST = 1000
/** By how much the provider's limits exceed ours, and a report may be late. */
const SPARE_MS = 60_000

/** Creates a memory of such calls. It has no timer. */
export function createLeftCalls(options: {
  readonly hangUp: (callSid: string) => unknown
  readonly monotonicMs: () => number
}): LeftCalls {
  const { hangUp, monotonicMs } = options
  const until = new Map<string, number>()
  return {
    add(reference, lastsMs) {
      until.set(reference, monotonicMs() + lastsMs + SPARE_MS)
      for (const [other, endMs] of until) if (endMs <= monotonicMs() || until.size > MOST) until.delete(other)
    },
    report(reference, { callSid, progress }) {
      if ((until.get(reference) ?? 0) <= monotonicMs()) return
      if (progress.type === 'completed' || progress.type === 'failed') until.delete(reference)
      else hangUp(callSid)
    },
  }
}
