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
export type WebhookEndpoint = z.output<typeof endpointSchema>

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
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why a delivery is given up: the receiver said 410, the schedule has ended, or its day has. */
export const DEAD_REASONS = ['gone', 'attempts_exhausted', 'window_expired'] as const
export type DeadReason = (typeof DEAD_REASONS)[number]

/** Why an attempt had no answer. */
export const ATTEMPT_ERRORS = [
  'timeout',
  'connect_timeout',
  'connection_refused',
  'connection_reset',
  'destination_refused',
  'dns_failed',
  'tls_failed',
  'network_error',
] as const
export type AttemptError = (typeof ATTEMPT_ERRORS)[number]

export const deliverySchema = z
  .object({
    delivery_id: deliveryIdSchema,
    event_id: eventIdSchema,
    event_type: z.enum(WEBHOOK_EVENT_TYPES),
    endpoint_id: endpointIdSchema
      .nullable()
      .meta({ description: 'Null for a callback URL or the account’s call webhook.' }),
    url: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    dead_reason: z.enum(DEAD_REASONS).nullable(),
    resent: z.boolean().meta({ description: 'Whether it was sent again by hand.' }),
    attempt_count: z.int().min(0),
    next_attempt_at: timeSchema.nullable(),
    created_at: timeSchema,
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.output<typeof deliverySchema>

const deliveryAttemptSchema = z.object({
  at: timeSchema,
  status: z.int().nullable().meta({ description: 'HTTP status, or null where there was no answer.' }),
  duration_ms: z.number(),
  error: z.enum(ATTEMPT_ERRORS).nullable(),
  response_excerpt: z.string().nullable().meta({ description: 'First 2 kB of the response.' }),
})
export type DeliveryAttempt = z.output<typeof deliveryAttemptSchema>

export const deliveryDetailSchema = deliverySchema
  .extend({
    body: z
      .string()
      .nullable()
      .meta({ description: 'What is sent, byte for byte; null where the event is no longer kept.' }),
    attempts: z.array(deliveryAttemptSchema).meta({ description: 'The latest 50.' }),
  })
  .meta({ id: 'WebhookDeliveryDetail' })

export const recoverSchema = z.strictObject({ since: timeSchema }).meta({ id: 'RecoverDeliveriesRequest' })
export const testEventSchema = z
  .strictObject({ type: z.enum(WEBHOOK_EVENT_TYPES) })
  .meta({ id: 'SendTestEventRequest' })
