import { z } from 'zod'
import { webhookEventSchema } from '../webhooks/event.ts'
import { described } from '../shared/route.ts'
import { pairIdSchema } from './ids.ts'
import { changeSchema, stageSchema, verdictSchema } from './resources.ts'
import { CONDITION_NAMES, SEVERITIES } from './vocabulary.ts'

export const MIGRATION_EVENT_TYPES = {
  mismatch: 'migration.mismatch',
  condition: 'migration.condition_broken',
  changed: 'migration.changed',
} as const

const summary = z.string().meta({ description: 'The alert in one sentence.' })

/** Alerts. A mismatch or a broken condition is sent at most once an hour for each severity or condition and stage. */
export const migrationEventSchema = z
  .discriminatedUnion('type', [
    webhookEventSchema(
      z.literal(MIGRATION_EVENT_TYPES.mismatch),
      z.object({
        summary,
        stage: stageSchema,
        severity: z.enum(SEVERITIES),
        pair_id: described(pairIdSchema, 'One of these pairs.'),
        pairs: z
          .number()
          .int()
          .min(1)
          .meta({ description: 'How many there were since the last alert of this kind.' }),
      }),
    ),
    webhookEventSchema(
      z.literal(MIGRATION_EVENT_TYPES.condition),
      z.object({ summary, stage: stageSchema, condition: z.enum(CONDITION_NAMES), verdict: verdictSchema }),
    ),
    webhookEventSchema(z.literal(MIGRATION_EVENT_TYPES.changed), z.object({ summary, change: changeSchema })),
  ])
  .meta({ id: 'MigrationEvent', description: 'An alert of a migration. Holds nothing of a person.' })
export type MigrationEvent = z.output<typeof migrationEventSchema>
