import { z } from 'zod'
import { timeSchema } from '../shared/checks.ts'
import { eventIdSchema } from '../shared/ids.ts'

/** Headers of every delivery: the service's own signature, and those of Standard Webhooks. */
export const WEBHOOK_HEADERS = {
  signature: 'x-service-signature',
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const

/** The envelope of every webhook body. */
export function webhookEventSchema<Type extends z.ZodType, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({
    event_id: eventIdSchema,
    type,
    created_at: timeSchema,
    data,
  })
}
