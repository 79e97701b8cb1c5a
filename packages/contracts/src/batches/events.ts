import { z } from 'zod'
import { webhookEventSchema } from '../webhooks/event.ts'
import { batchesGroup } from './group.ts'
import { batchSchema } from './resources.ts'

/** Webhook event sent on entering each status in which a batch has ended. */
export const BATCH_EVENT_TYPES = batchesGroup.events
export type BatchEventType = (typeof BATCH_EVENT_TYPES)[keyof typeof BATCH_EVENT_TYPES]

export const batchEventSchema = webhookEventSchema(
  z.enum(Object.values(BATCH_EVENT_TYPES)),
  batchSchema,
).meta({
  id: 'BatchEvent',
  description:
    'Sent to the callback URL of the batch and to subscribed endpoints when it has ended; `data` is the batch.',
})
export type BatchEvent = z.output<typeof batchEventSchema>
