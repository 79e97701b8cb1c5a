import type { Json } from '@vaani/service-kit/database/connect'
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

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    alert_groups: AlertGroupTable
  }
}
