import { z } from 'zod'
import { webhookEventSchema } from '../webhooks/event.ts'
import { callSchema } from './resources.ts'
import type { CallStatus } from './states.ts'

/** Webhook event sent on entering each status. */
export const CALL_EVENT_TYPES = {
  queued: 'call.queued',
  'in-progress': 'call.in_progress',
  completed: 'call.completed',
  failed: 'call.failed',
} as const satisfies Record<CallStatus, string>
export type CallEventType = (typeof CALL_EVENT_TYPES)[CallStatus]

const EVENT_TYPES = Object.values(CALL_EVENT_TYPES)

export const callEventSchema = webhookEventSchema(z.enum(EVENT_TYPES), callSchema).meta({
  id: 'CallEvent',
  description:
    'Sent to the account’s call webhook and subscribed endpoints on every status change; `data` is the call.',
})
export type CallEvent = z.output<typeof callEventSchema>
