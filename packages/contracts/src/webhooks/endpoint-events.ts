import { z } from 'zod'
import { ENDPOINT_EVENT_TYPES, webhookEventSchema } from './event.ts'
import { endpointSchema } from './resources.ts'

export const endpointEventSchema = webhookEventSchema(
  z.enum(Object.values(ENDPOINT_EVENT_TYPES)),
  endpointSchema,
).meta({
  id: 'WebhookEndpointEvent',
  description:
    'An endpoint has been failing for days, or was disabled because it failed or returned 410; `data` is the endpoint. Sent to ' +
    'the other endpoints that subscribe to it, never to the endpoint itself.',
})
export type WebhookEndpointEvent = z.output<typeof endpointEventSchema>
