import { z } from 'zod'
import { webhookEventSchema } from '../webhooks/event.ts'
import { callsGroup } from './group.ts'
import { callSchema } from './resources.ts'
import type { CallStatus } from './states.ts'

/** Webhook event sent on entering each status. */
export const CALL_EVENT_TYPES = callsGroup.events satisfies Record<CallStatus, string>
export type CallEventType = (typeof CALL_EVENT_TYPES)[CallStatus]

const EVENT_TYPES = Object.values(CALL_EVENT_TYPES)

export const callEventSchema = webhookEventSchema(z.enum(EVENT_TYPES), callSchema).meta({
  id: 'CallEvent',
  description:
    'Sent to the account’s call webhook and subscribed endpoints on every status change; `data` is the call.',
})
export type CallEvent = z.output<typeof callEventSchema>
