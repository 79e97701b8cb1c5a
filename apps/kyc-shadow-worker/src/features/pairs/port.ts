import type {
  Migration,
  MigrationCheck,
  Pair,
  PairKind,
  PairOutcome,
  Severity,
} from '@vaani/contracts/migration'

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
  /** Looks at everything that a migration needs, without any traffic. */
  check(): Promise<MigrationCheck[]>
  /** Why the candidate refuses the key of the migration; null if it does not. At most a minute old, unless it is to be fresh. */
  refusedCredential(options?: { isFresh: boolean }): Promise<string | null>
  /** Numbers for the state of the migration, without reading what grows. */
  describe(): Promise<
    Pick<Migration['pairs'], 'waiting' | 'sent_today' | 'daily_budget'> & Pick<Migration, 'spool'>
  >
}
