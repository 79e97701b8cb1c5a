import type { PairKind, Stage } from '@vaani/contracts/migration'
import type { CountSubject } from './counts.ts'

export interface EvidenceCountTable {
  epoch: number
  subject: CountSubject
  kind: PairKind
  stage: Stage
  /** By subject: a condition, an ending or a version. */
  value: string
  /** By subject: another ending, a bucket, or the primary whose noise it is; empty for the others. */
  other_value: string
  /** A bigint, which is read as text. */
  pairs: string
}

export interface EvidenceHourTable {
  hour: Date
  stage: Stage
  epoch: number
  /** When the first of these pairs ended. */
  first_at: Date
  pairs: string
  mild: string
  serious: string
  worst: string
  errors: string
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    evidence_counts: EvidenceCountTable
    evidence_hours: EvidenceHourTable
  }
}
