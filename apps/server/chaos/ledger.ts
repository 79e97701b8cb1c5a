import { createViolations, type Violations } from '@vaani/test-services/chaos'

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

export interface Ledger extends Violations {
  entries: Entry[]
}

export const createLedger = (): Ledger => ({ entries: [], ...createViolations() })
