import { z } from 'zod'
import { webhookEventSchema } from '../webhooks/event.ts'
import { identityGroup } from './group.ts'
import { verificationSchema } from './resources.ts'

/** Webhook event sent on entering each status. */
export const VERIFICATION_EVENT_TYPES = identityGroup.events
export type VerificationEventType = (typeof VERIFICATION_EVENT_TYPES)[keyof typeof VERIFICATION_EVENT_TYPES]

export const verificationEventSchema = webhookEventSchema(
  z.enum(Object.values(VERIFICATION_EVENT_TYPES)),
  verificationSchema,
).meta({
  id: 'VerificationEvent',
  description:
    'A final decision, or `verification.review`: the checks have ended without one. `data` is the verification. ' +
    'It has no `extracted`, which reading it with `include_media=extracted` returns, unless it is a final decision and the account ' +
    'has `webhooks_include_extracted`; it is then null if nothing was read, or once it was erased. Callback URLs get final ' +
    'decisions only.',
})
export type VerificationEvent = z.output<typeof verificationEventSchema>
