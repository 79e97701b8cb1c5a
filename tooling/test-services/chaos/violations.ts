const SHOWN = 5
const FAULTS_SHOWN = 4

/** What a run of chaos saw. */
export interface Violations {
  /** Where each kind of violation was seen. */
  readonly violations: ReadonlyMap<string, readonly string[]>
  readonly counts: ReadonlyMap<string, number>
  count(what: string, by?: number): void
  /** Counts a fault that is about to strike. Violations after it say so. */
  strikes(fault: string): void
  violate(kind: string, where: string): void
  /** Prints the counts and the first places of each violation; the exit code is 1 if there is any. */
  print(counts: Readonly<Record<string, number>>, seed: number): void
}

export function createViolations(): Violations {
  const counts = new Map<string, number>()
  const violations = new Map<string, string[]>()
  const startMs = performance.now()
  let faults: string[] = []
  const now = () => `${((performance.now() - startMs) / 1000).toFixed(1)} s`
  return {
    violations,
    counts,
    count: (what, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by),
    strikes(fault) {
      this.count(fault)
      faults = [...faults, `${fault} (${now()})`].slice(-FAULTS_SHOWN)
    },
    violate(kind, where) {
      const place = `${where} at ${now()}, after ${faults.join(', ') || 'no fault'}`
      violations.set(kind, [...(violations.get(kind) ?? []), place])
    },
    print(more, seed) {
      console.table({ ...more, ...Object.fromEntries([...counts].toSorted()) })
      for (const [kind, places] of violations) {
        console.log(`VIOLATION ${kind}, ${places.length} times, first:`)
        for (const place of places.slice(0, SHOWN)) console.log(`  ${place}`)
      }
      console.log(`chaos: seed ${seed}, ${violations.size} kinds of violations`)
      if (violations.size > 0) process.exitCode = 1
    },
  }
}
