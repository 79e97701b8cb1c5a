import { z } from 'zod'
import { CALL_EVENT_TYPES } from '../calls/events.ts'
import { VERIFICATION_EVENT_TYPES } from '../identity/events.ts'
import { callbackUrlSchema, timeSchema } from '../shared/checks.ts'
import { deliveryIdSchema, endpointIdSchema, eventIdSchema } from '../shared/ids.ts'

export const WEBHOOK_EVENT_TYPES = [
  ...Object.values(CALL_EVENT_TYPES),
  ...Object.values(VERIFICATION_EVENT_TYPES),
] as const
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number]

const eventTypesSchema = z.array(z.enum(WEBHOOK_EVENT_TYPES)).min(1)

export const createEndpointSchema = z
  .strictObject({ url: callbackUrlSchema, events: eventTypesSchema })
  .meta({ id: 'CreateWebhookEndpointRequest' })

export const updateEndpointSchema = z
  .strictObject({
    url: callbackUrlSchema.optional(),
    events: eventTypesSchema.optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'UpdateWebhookEndpointRequest' })

export const endpointSchema = z
  .object({
    endpoint_id: endpointIdSchema,
    url: z.string(),
    events: eventTypesSchema,
    enabled: z.boolean(),
    created_at: timeSchema,
  })
  .meta({ id: 'WebhookEndpoint' })

export const secretSchema = z
  .object({
    secret: z.string().meta({ description: 'Shown this once.' }),
    previous_secret_until: timeSchema.nullable().meta({
      description: 'Until then deliveries are signed with the previous secret as well.',
    }),
  })
  .meta({ id: 'WebhookSecret' })

export const rotateSecretSchema = z
  .strictObject({ overlap_hours: z.number().min(0).max(168).default(24) })
  .meta({ id: 'RotateWebhookSecretRequest' })

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const
export const deliverySchema = z
  .object({
    delivery_id: deliveryIdSchema,
    event_id: eventIdSchema,
    event_type: z.enum(WEBHOOK_EVENT_TYPES),
    url: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    dead_reason: z.string().nullable(),
    resent: z.boolean().meta({ description: 'Whether it was sent again by hand.' }),
    attempt_count: z.int(),
    next_attempt_at: timeSchema.nullable(),
    created_at: timeSchema,
  })
  .meta({ id: 'WebhookDelivery' })

export const deliveryDetailSchema = deliverySchema
  .extend({
    attempts: z.array(
      z.object({
        at: timeSchema,
        status: z.int().nullable().meta({ description: 'HTTP status, or null where there was no answer.' }),
        duration_ms: z.number(),
        error: z.string().nullable(),
        response_excerpt: z.string().nullable().meta({ description: 'First 2 kB of the response.' }),
      }),
    ),
  })
  .meta({ id: 'WebhookDeliveryDetail' })

export const recoverSchema = z.strictObject({ since: timeSchema }).meta({ id: 'RecoverDeliveriesRequest' })
export const testEventSchema = z
  .strictObject({ type: z.enum(WEBHOOK_EVENT_TYPES) })
  .meta({ id: 'SendTestEventRequest' })
