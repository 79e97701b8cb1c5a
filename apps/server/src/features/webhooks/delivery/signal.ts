/** Wakes one sleeping loop. If the loop is running, `raise` ends its next sleep at once. */
export interface Signal {
  raise(): void
  /** Sleeps until the signal is raised, for at most `ms`. */
  wait(ms: number): Promise<void>
}

export function createSignal(): Signal {
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
