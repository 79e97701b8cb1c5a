import type {
  ConditionName,
  MigrationChange,
  MigrationVerdict,
  Severity,
  Stage,
} from '@vaani/contracts/migration'
import type { Db } from '@vaani/service-kit/database/connect'

/** Something that a person should hear of. Nothing of a submission is in it but the id of a pair. */
export type Alert =
  | { type: 'mismatch'; stage: Stage; severity: Severity; pairId: string }
  | { type: 'condition'; stage: Stage; condition: ConditionName; verdict: MigrationVerdict }
  | { type: 'changed'; change: MigrationChange }

export interface AlertsPort {
  /** Raises an alert in the transaction of what it is about. Mismatches and conditions are grouped: at most one an hour each. */
  raise(on: Db, alert: Alert): Promise<void>
}
