/** Memory that copies share. */
export interface MemoryBudget {
  /** Whether there was room. */
  take(bytes: number): boolean
  give(bytes: number): void
}

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > maxBytes) return false
      used += bytes
      return true
    },
    give: (bytes) => void (used -= bytes),
  }
}
