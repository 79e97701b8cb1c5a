import type { MigrationEvent } from '@vaani/contracts/migration'
import type { Json } from '@vaani/service-kit/database/connect'
import type { Generated } from 'kysely'
import type { Target } from './targets.ts'
import type { GroupedAlert } from './to-event.ts'

export interface AlertGroupTable {
  /** Type of the alert, severity or condition, and stage. */
  group_key: string
  /** Time of the last alert. */
  alerted_at: Date
  /** Occurrences that the last alert reported. */
  reported: number
  /** Occurrences since the last alert. */
  waiting: number
  /** The latest occurrence. */
  latest: Json<GroupedAlert>
}

/** An alert that is due at a target. */
export interface AlertDeliveryTable {
  target: Target
  event_id: string
  event: Json<MigrationEvent>
  attempts: Generated<number>
  due_at: Date
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    alert_groups: AlertGroupTable
    alert_deliveries: AlertDeliveryTable
  }
}
