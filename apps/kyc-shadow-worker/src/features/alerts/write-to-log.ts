import { MIGRATION_EVENT_TYPES, type MigrationEvent } from '@vaani/contracts/migration'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { AlertEvent } from './events.ts'

/** Logs and counts an alert. The reasons and names that operators give stay out of the log. */
export function writeToLog(events: Events<AlertEvent>, event: MigrationEvent): void {
  const { event_id } = event
  switch (event.type) {
    case MIGRATION_EVENT_TYPES.mismatch: {
      const { stage, severity, pairs, pair_id } = event.data
      return events.record('shadow_mismatch', {
        event_id,
        pair_id,
        state: stage,
        reason: severity,
        count: pairs,
      })
    }
    case MIGRATION_EVENT_TYPES.condition:
      return events.record('shadow_condition_broken', {
        event_id,
        state: event.data.stage,
        reason: event.data.condition,
      })
    case MIGRATION_EVENT_TYPES.changed: {
      const { kind, to_stage } = event.data.change
      return events.record('shadow_changed', { event_id, state: to_stage, reason: kind })
    }
  }
}
