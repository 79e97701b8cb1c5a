import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'

/** A clock that moves only when it is advanced. */
export interface ManualClock extends Clock {
  /** Returns the number of timers that have neither fired nor been canceled. */
  pending(): number
  /** Advances the time, and fires each timer at its own time, also those that are set on the way. */
  advance(ms: number): void
  /** The same, but lets promises settle before the first timer and after each. */
  pass(ms: number): Promise<void>
}

/** Creates a clock at 0. */
export function createManualClock(): ManualClock {
  const timers = new Map<number, { readonly atMs: number; readonly action: () => void }>()
  let nowMs = 0
  let lastId = 0
  /** No timer is due before this, so that most frames look at none. */
  let idleUntilMs = Infinity

  /** Fires the earliest timer that is due by then; of several at one time, the one that was set first. */
  function fireNext(untilMs: number): boolean {
    if (idleUntilMs > untilMs) return false
    let next: [number, { readonly atMs: number; readonly action: () => void }] | undefined
    for (const entry of timers) if (next === undefined || entry[1].atMs < next[1].atMs) next = entry
    idleUntilMs = next?.[1].atMs ?? Infinity
    if (next === undefined || idleUntilMs > untilMs) return false
    const [id, { atMs, action }] = next
    timers.delete(id)
    nowMs = Math.max(nowMs, atMs)
    action()
    return true
  }

  return {
    nowMs: () => nowMs,
    after(delayMs, action) {
      const id = (lastId += 1)
      const atMs = nowMs + Math.max(0, delayMs)
      timers.set(id, { atMs, action })
      idleUntilMs = Math.min(idleUntilMs, atMs)
      return () => timers.delete(id)
    },
    pending: () => timers.size,
    advance(ms) {
      const untilMs = nowMs + ms
      while (fireNext(untilMs));
      nowMs = untilMs
    },
    async pass(ms) {
      const untilMs = nowMs + ms
      await setImmediate()
      while (fireNext(untilMs)) await setImmediate()
      nowMs = untilMs
    },
  }
}
