import type { ChangeKind, MigrationVerdict, Stage } from '@vaani/contracts/migration'
import type { Json } from '@vaani/service-kit/database/connect'
import type { Generated } from 'kysely'

/** One row. */
export interface MigrationStateTable {
  is_only_row: Generated<boolean>
  stage: Stage
  /** Position of the switch of the API. */
  is_killed: boolean
  /** What the OpenFeature provider said last; null before. */
  provider_stage: Stage | null
  provider_is_killed: Generated<boolean>
  epoch: number
  evidence_since: Date
  /** Number of changes so far. */
  revision: number
  changed_at: Date
  changed_by: string
}

/** Append-only. */
export interface MigrationChangeTable {
  change_id: string
  /** Of the flag after it. The order of changes, because clocks of processes differ. */
  revision: number
  kind: ChangeKind
  created_at: Date
  actor: string
  reason: string
  from_stage: Stage
  to_stage: Stage
  kill_switch: boolean | null
  forced: boolean
  verdict: Json<MigrationVerdict>
  /** Which evidence the verdict is on. */
  epoch: number
}

/** Conditions that were alerted, once for each evidence. */
export interface MigrationBrokenConditionTable {
  epoch: number
  condition: string
  noticed_at: Date
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    migration_state: MigrationStateTable
    migration_changes: MigrationChangeTable
    migration_broken_conditions: MigrationBrokenConditionTable
  }
}
