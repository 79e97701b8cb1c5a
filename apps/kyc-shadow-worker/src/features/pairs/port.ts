import type { Migration, Pair, PairKind, PairOutcome, Severity } from '@vaani/contracts/migration'

export interface PairFilter {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly outcome?: PairOutcome | undefined
  readonly severity?: Severity | undefined
  readonly kind?: PairKind | undefined
  /** Only mismatches that nobody acknowledged. */
  readonly isOpen?: boolean | undefined
}

export interface PairsPort {
  /** Newest first. */
  list(filter: PairFilter): Promise<Pair[]>
  find(pairId: string): Promise<Pair | null>
  /** Null if there is no such pair; `not_open` if it is no mismatch, or was acknowledged before. */
  acknowledge(pairId: string, note: string): Promise<Pair | 'not_open' | null>
  /** Numbers for the state of the migration, without reading what grows. */
  describe(): Promise<
    Pick<Migration['pairs'], 'waiting' | 'sent_today' | 'daily_budget'> & Pick<Migration, 'spool'>
  >
}
