import type { Clock } from '../clock.ts'

/** Asks at most once in that time: everybody gets the same answer, or the same error. */
export function remember<T>(
  ask: () => Promise<T>,
  { forMs, clock }: { forMs: number; clock: Clock },
): () => Promise<T> {
  let last: { answer: Promise<T>; askedMs: number } | undefined
  return () => {
    const nowMs = clock.nowMs()
    // Also if the clock was set back.
    if (last === undefined || Math.abs(nowMs - last.askedMs) >= forMs)
      last = { answer: ask(), askedMs: nowMs }
    return last.answer
  }
}
