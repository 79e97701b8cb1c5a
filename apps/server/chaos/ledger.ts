/** A request of the load: the response it got, and so the object that must exist in the end. */
export interface Entry {
  tenant: string
  kind: 'call' | 'verification'
  /** Sent in the request, and so stored in the object that it created. */
  mark: string
  /** The id in the response; null if the storm ended before a response, so the object may or may not exist. */
  id: string | null
  /** The body of the first response, which each retry must repeat. */
  answer: string | null
  isScheduled: boolean
  isCanceled: boolean
}

export interface Ledger {
  entries: Entry[]
  /** Where each kind of violation was seen. */
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
