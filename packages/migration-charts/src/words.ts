import type { PairOutcome, Severity, Stage } from '@vaani/contracts/migration'

/** What a page says in its charts, in its language. */
export interface ChartWords {
  readonly stages: Readonly<Record<Stage, string>>
  readonly severities: Readonly<Record<Severity, string>>
  readonly outcomes: Readonly<Record<PairOutcome, string>>
  readonly count: (count: number) => string
  readonly share: (share: number) => string
  readonly duration: (ms: number) => string
  /** A day in UTC, in short. */
  readonly day: (day: Date) => string
}
