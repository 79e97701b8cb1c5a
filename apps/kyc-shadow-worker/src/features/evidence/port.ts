import type {
  Ending,
  KycVersion,
  LatencyMeasure,
  MigrationReport,
  MigrationVerdict,
  PairKind,
  PairOutcome,
  Stage,
} from '@vaani/contracts/migration'
import type { Db } from '@vaani/service-kit/database/connect'
import type { JudgedPair } from '../../rules/pairs/judge-pair.ts'

/** A pair that is over, as the evidence counts it. */
export interface EndedPair {
  readonly epoch: number
  readonly stage: Stage
  readonly kind: PairKind
  readonly outcome: PairOutcome
  readonly endedAtMs: number
  readonly v1: Ending | null
  readonly v2: Ending | null
  /** Null if there was nothing to compare. */
  readonly judged: JudgedPair | null
  readonly latencies: readonly { version: KycVersion; measure: LatencyMeasure; ms: number }[]
}

/** Counts what pairs show, in rows whose number does not grow with the pairs. */
export interface EvidencePort {
  /** Counts a pair in the transaction that ends it, so that none is counted twice or lost. */
  count(on: Db, pair: EndedPair): Promise<void>
  /** Judges the evidence of an epoch. */
  judge(epoch: number): Promise<MigrationVerdict>
  /** The parts of the report that come from counts. */
  report(
    epoch: number,
  ): Promise<
    Pick<MigrationReport, 'rates' | 'confusion' | 'latencies' | 'callbacks' | 'ids' | 'outcomes' | 'hours'>
  >
  /** Pairs that ended in an epoch. */
  countEnded(epoch: number): Promise<number>
}
