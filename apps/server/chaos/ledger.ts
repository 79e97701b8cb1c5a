/** Something that the load asked for: what it was promised, and what must therefore be found in the end. */
export interface Entry {
  tenant: string
  kind: 'call' | 'verification'
  /** Stands in the request, and so in whatever it made. */
  mark: string
  /** Of the answer; null if the storm ended before one came, so that it may have been made or not. */
  id: string | null
  /** The first answer, which each repetition must give again. */
  answer: string | null
  isScheduled: boolean
  isCanceled: boolean
}

export interface Ledger {
  entries: Entry[]
  /** What must never be seen: by its kind, where it was seen. */
  violations: Map<string, string[]>
  counts: Map<string, number>
  count(what: string): void
  violate(kind: string, where: string): void
}

export function createLedger(): Ledger {
  const counts = new Map<string, number>()
  const violations = new Map<string, string[]>()
  return {
    entries: [],
    violations,
    counts,
    count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    violate: (kind, where) => void violations.set(kind, [...(violations.get(kind) ?? []), where]),
  }
}
