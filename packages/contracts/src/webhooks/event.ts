import { z } from 'zod'
import { timeSchema } from '../shared/checks.ts'
import { idSchema } from '../shared/ids.ts'
import { described } from '../shared/route.ts'
import { webhooksGroup } from './group.ts'

export const eventIdSchema = idSchema('event').meta({
  description: 'Id of an event, the same if a restored server reports it again.',
})

/** Headers of every delivery: the service's own signature and the headers of Standard Webhooks. */
export const WEBHOOK_HEADERS = {
  signature: 'x-service-signature',
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const

/** Events about an endpoint, sent to the other endpoints of its account and mode. */
export const ENDPOINT_EVENT_TYPES = webhooksGroup.events
export type EndpointEventType = (typeof ENDPOINT_EVENT_TYPES)[keyof typeof ENDPOINT_EVENT_TYPES]

/** The envelope of every webhook body. */
export function webhookEventSchema<Type extends z.ZodType, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({
    event_id: eventIdSchema,
    type,
    created_at: described(timeSchema, 'Time of the event; the same for every attempt.'),
    data,
  })
}
