import { z } from 'zod'
import { onAccountSchema } from '../admin/resources.ts'
import { listEventTypes } from '../groups.ts'
import { callbackUrlSchema, livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idSchema } from '../shared/ids.ts'
import { described } from '../shared/route.ts'
import { pageQuerySchema } from '../shared/pagination.ts'
import { textSchema } from '../shared/text.ts'
import { eventIdSchema } from './event.ts'
import { WEBHOOK_FAILING_DISABLED_DAYS } from './retries.ts'

export const deliveryIdSchema = idSchema('delivery')
export const endpointIdSchema = idSchema('endpoint')

export const WEBHOOK_EVENT_TYPES = listEventTypes()
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number]

const eventTypesSchema = z
  .array(z.enum(WEBHOOK_EVENT_TYPES))
  .min(1)
  .meta({ description: 'Types of events that the endpoint receives.' })
const endpointUrlSchema = described(callbackUrlSchema, 'URL that receives the deliveries.')
const enabledSchema = z.boolean().meta({
  description:
    'Whether it receives events. While it is disabled, pending deliveries wait and new events skip it.',
})

export const createEndpointSchema = z
  .strictObject({ url: endpointUrlSchema, events: eventTypesSchema })
  .meta({
    id: 'CreateWebhookEndpointRequest',
    examples: [{ url: 'https://example.com/webhooks', events: ['call.completed', 'call.failed'] }],
  })

export const updateEndpointSchema = z
  .strictObject({
    url: endpointUrlSchema.optional(),
    events: eventTypesSchema.optional(),
    enabled: enabledSchema.optional(),
  })
  .meta({ id: 'UpdateWebhookEndpointRequest', examples: [{ events: ['call.completed'], enabled: true }] })

/** Why an endpoint is disabled: by a request, because it returned 410, or because it failed for days. */
export const ENDPOINT_DISABLED_REASONS = ['requested', 'gone', 'failing'] as const
export type EndpointDisabledReason = (typeof ENDPOINT_DISABLED_REASONS)[number]

export const endpointSchema = z
  .object({
    endpoint_id: endpointIdSchema,
    url: z.string().meta({ description: 'URL that receives the deliveries.' }),
    events: eventTypesSchema,
    livemode: livemodeSchema,
    enabled: enabledSchema,
    disabled_reason: z
      .enum(ENDPOINT_DISABLED_REASONS)
      .nullable()
      .meta({
        description:
          '`requested`: disabled by a request. `gone`: the endpoint returned 410. `failing`: every attempt failed for ' +
          `${WEBHOOK_FAILING_DISABLED_DAYS} days. Null while the endpoint is enabled.`,
      }),
    disabled_at: described(
      timeSchema.nullable(),
      'When the endpoint was disabled; null while it is enabled.',
    ),
    failing_since: timeSchema.nullable().meta({
      description:
        'Time of the first failed attempt since the last success; null while the endpoint is not failing.',
    }),
    created_at: timeSchema,
    previous_secret_until: timeSchema.optional().meta({
      description: 'Only of an endpoint that is read alone: until when its previous secret signs as well.',
    }),
  })
  .meta({ id: 'WebhookEndpoint' })
export type WebhookEndpoint = z.output<typeof endpointSchema>

export const secretSchema = z
  .object({
    secret: z.string().meta({ description: 'Secret that signs deliveries; shown only once.' }),
    previous_secret_until: timeSchema.nullable().meta({
      description: 'Until then, `webhook-signature` also contains a signature with the previous secret.',
    }),
  })
  .meta({ id: 'WebhookSecret' })

/** Secret that makes the header with a single signature while two secrets are valid. */
export const SIGN_WITH = ['new', 'previous'] as const

const rotationSchema = z.strictObject({
  overlap_hours: z
    .number()
    .min(0)
    .max(168)
    .default(24)
    .meta({ description: 'Hours for which the previous secret still signs; 0 ends it at once.' }),
  sign_with: z
    .enum(SIGN_WITH)
    .default('new')
    .meta({
      description:
        'Secret that makes `X-Service-Signature` during the overlap; afterwards it is the new one. `webhook-signature` ' +
        'contains both signatures. Choose `previous` if a receiver knows only one secret and cannot change it at once.',
    }),
})
/** Returns false if `previous` is to sign although there is no overlap, and so no previous secret. */
const hasWhatSigns = (rotation: z.output<typeof rotationSchema>): boolean =>
  rotation.sign_with === 'new' || rotation.overlap_hours > 0
const needsOverlap = { error: '`previous` needs an overlap', path: ['sign_with'] }

export const rotateSecretSchema = rotationSchema
  .refine(hasWhatSigns, needsOverlap)
  .meta({ id: 'RotateWebhookSecretRequest', examples: [{ overlap_hours: 24 }] })

export const rotateAccountSecretSchema = rotationSchema
  .extend({ account_id: onAccountSchema })
  .refine(hasWhatSigns, needsOverlap)
  .meta({ id: 'RotateAccountWebhookSecretRequest', examples: [{ overlap_hours: 24 }] })

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/**
 * Why a delivery is dead: it got a 410, its attempts or its 24 hours ran out, its endpoint was deleted, the data of its person was erased, or
 * the server was restored from a backup after which it may have been delivered.
 */
export const DEAD_REASONS = [
  'gone',
  'attempts_exhausted',
  'window_expired',
  'endpoint_deleted',
  'erased',
  'restored',
] as const
export type DeadReason = (typeof DEAD_REASONS)[number]

/** Why an attempt got no response. */
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
    url: z
      .string()
      .nullable()
      .meta({
        description:
          'URL of the next attempt; once the delivery has ended, of the last attempt. Null for a callback URL that was erased ' +
          'with the data of its person.',
      }),
    object_id: z
      .string()
      .meta({ description: 'Id of the call, verification or endpoint that the event is about.' }),
    livemode: livemodeSchema,
    status: z.enum(DELIVERY_STATUSES).meta({ description: '`pending` until it is `delivered` or `dead`.' }),
    dead_reason: z
      .enum(DEAD_REASONS)
      .nullable()
      .meta({ description: 'Why the delivery is dead; null if it is not.' }),
    resent: z.boolean().meta({ description: 'Whether it was resent through the API.' }),
    attempt_count: z.int().min(0).meta({ description: 'Number of attempts so far.' }),
    next_attempt_at: described(
      timeSchema.nullable(),
      'Time of the next attempt; null once the delivery has ended.',
    ),
    created_at: timeSchema,
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.output<typeof deliverySchema>

const deliveryAttemptSchema = z.object({
  at: timeSchema,
  status: z.int().nullable().meta({ description: 'HTTP status; null if there was no response.' }),
  duration_ms: z.number(),
  error: z
    .enum(ATTEMPT_ERRORS)
    .nullable()
    .meta({ description: 'Why there was no response; null if there was one.' }),
  response_excerpt: z.string().nullable().meta({
    description:
      'First 2 KiB of the response body; null if there is none, or if the attempt sent `extracted`, which the response may repeat.',
  }),
})
export type DeliveryAttempt = z.output<typeof deliveryAttemptSchema>

export const deliveryDetailSchema = deliverySchema
  .extend({
    body: z
      .string()
      .nullable()
      .meta({
        description:
          'The body, byte for byte as sent, but without `extracted`, and unless personal data was erased from it; null once the event ' +
          'is no longer kept.',
      }),
    attempts: z.array(deliveryAttemptSchema).meta({ description: 'The latest 50 attempts.' }),
  })
  .meta({ id: 'WebhookDeliveryDetail' })

export const listDeliveriesQuerySchema = pageQuerySchema('delivery').extend({
  status: z.enum(DELIVERY_STATUSES).optional().meta({ description: 'Only deliveries with this status.' }),
  endpoint_id: textSchema
    .max(64)
    .optional()
    .meta({ description: 'Only deliveries to this endpoint, even if it has been deleted.' }),
  event_id: textSchema
    .max(64)
    .optional()
    .meta({ description: 'Only deliveries of the event with this `webhook-id`.' }),
  event_type: z
    .enum(WEBHOOK_EVENT_TYPES)
    .optional()
    .meta({ description: 'Only deliveries of events of this type.' }),
  object_id: textSchema
    .max(64)
    .optional()
    .meta({ description: 'Only deliveries about this call, verification or endpoint.' }),
  created_after: timeSchema
    .optional()
    .meta({ description: 'Only deliveries created at this time or later.' }),
  created_before: timeSchema.optional().meta({ description: 'Only deliveries created before this time.' }),
})

export const recoverSchema = z
  .strictObject({
    since: described(timeSchema, 'Creation time of the oldest deliveries to resend.'),
    until: described(
      timeSchema,
      'Only deliveries created before this time, which is not before `since`; by default, all since `since`.',
    ).optional(),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(since) <= Date.parse(until), {
    error: 'must not be before `since`',
    path: ['until'],
  })
  .meta({ id: 'RecoverDeliveriesRequest', examples: [{ since: '2026-11-20T09:30:00+05:45' }] })
export const testEventSchema = z
  .strictObject({ type: z.enum(WEBHOOK_EVENT_TYPES).meta({ description: 'Type of the event to send.' }) })
  .meta({ id: 'SendTestEventRequest', examples: [{ type: 'call.completed' }] })
