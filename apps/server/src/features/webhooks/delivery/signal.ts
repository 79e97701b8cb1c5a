/** Wakes one loop that sleeps; a call that comes while it runs wakes it from its next sleep at once. */
export interface Signal {
  raise(): void
  /** Sleeps until it is raised, or for so long. */
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
