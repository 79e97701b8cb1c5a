import type { Id } from '@vaani/contracts'
import { MIGRATION_EVENT_TYPES, type MigrationEvent } from '@vaani/contracts/migration'
import { summarizeChange, summarizeCondition, summarizeMismatches } from '../../rules/alerts/summarize.ts'
import type { Alert } from './port.ts'

/** Makes the event of an alert. `pairs` is how many there were since the last alert of its group. */
export function toEvent(
  alert: Alert,
  { eventId, createdAt, pairs }: { eventId: Id<'event'>; createdAt: Date; pairs: number },
): MigrationEvent {
  const envelope = { event_id: eventId, created_at: createdAt.toISOString() }
  switch (alert.type) {
    case 'mismatch': {
      const { severity, stage, pairId } = alert
      const summary = summarizeMismatches({ severity, stage, pairs, pairId })
      const data = { summary, stage, severity, pair_id: pairId, pairs }
      return { ...envelope, type: MIGRATION_EVENT_TYPES.mismatch, data }
    }
    case 'condition': {
      const { stage, condition, verdict } = alert
      const broken = verdict.conditions.find(({ name }) => name === condition)
      const summary = broken ? summarizeCondition(stage, broken) : verdict.because
      return {
        ...envelope,
        type: MIGRATION_EVENT_TYPES.condition,
        data: { summary, stage, condition, verdict },
      }
    }
    case 'changed': {
      const { change } = alert
      return {
        ...envelope,
        type: MIGRATION_EVENT_TYPES.changed,
        data: { summary: summarizeChange(change), change },
      }
    }
  }
}

/** Alerts of which one an hour is sent for each group. */
export type GroupedAlert = Exclude<Alert, { type: 'changed' }>

/** Returns the name of the group of an alert. */
export function groupOf(alert: GroupedAlert): string {
  const what = alert.type === 'mismatch' ? alert.severity : alert.condition
  return `${alert.type} ${what} ${alert.stage}`
}
