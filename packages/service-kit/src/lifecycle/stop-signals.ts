const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** One that follows so soon is the same: it went to the whole group of processes, and a parent passed it on. */
const SAME_MS = 1000

export interface StopSignals {
  /** The first one that asks this process to stop. */
  first: Promise<NodeJS.Signals>
  /** Runs at the second one: somebody does not want to wait. A third ends the process as if nobody listened. */
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
