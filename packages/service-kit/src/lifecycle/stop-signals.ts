const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Signals this close together count as one: sent to the whole process group, and also forwarded by a parent. */
const SAME_MS = 1000

export interface StopSignals {
  /** Resolves with the first signal that asks this process to stop. */
  first: Promise<NodeJS.Signals>
  /** Runs at the second signal, because the operator does not want to wait. A third one ends the process as by default. */
  onSecond(run: () => void): void
}

export function listenForStopSignals(): StopSignals {
  const first = Promise.withResolvers<NodeJS.Signals>()
  let firstMs: number | undefined
  let isSecond = false
  let hurry: (() => void) | undefined
  function receive(signal: NodeJS.Signals): void {
    firstMs ??= performance.now()
    first.resolve(signal)
    if (performance.now() - firstMs < SAME_MS) return
    for (const one of SIGNALS) process.off(one, receive)
    isSecond = true
    hurry?.()
  }
  for (const signal of SIGNALS) process.on(signal, receive)
  return {
    first: first.promise,
    onSecond(run) {
      hurry = run
      if (isSecond) run()
    },
  }
}
