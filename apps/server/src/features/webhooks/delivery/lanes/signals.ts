import type { Kind } from './outcome-queue.ts'

/** Wakes one sleeping loop. If the loop is running, `raise` ends its next sleep at once. */
export interface Signal {
  raise(): void
  /** Sleeps until the signal is raised, for at most `ms`. */
  wait(ms: number): Promise<void>
}

function createSignal(): Signal {
  let raised = Promise.withResolvers<void>()
  return {
    raise: () => raised.resolve(),
    async wait(ms) {
      const timer = setTimeout(raised.resolve, ms)
      await raised.promise
      clearTimeout(timer)
      raised = Promise.withResolvers()
    },
  }
}

/** One signal for each loop of the engine. */
export interface Signals {
  /** New events may be in the outbox. */
  readonly reading: Signal
  /** Lanes may have deliveries due, or may be released. */
  readonly tending: Signal
  /** There may be outcomes to write. */
  readonly writing: Readonly<Record<Kind, Signal>>
  raiseWriting(): void
}

export function createSignals(): Signals {
  const writing = { ends: createSignal(), others: createSignal() }
  return {
    reading: createSignal(),
    tending: createSignal(),
    writing,
    raiseWriting() {
      writing.ends.raise()
      writing.others.raise()
    },
  }
}
