import { z } from 'zod'
import { webhookEventSchema } from '../webhooks/event.ts'
import { ocrDocumentSchema } from './documents.ts'
import { modelsGroup } from './group.ts'

/** Webhook event sent when a document has been read in the background, with or without success. */
export const DOCUMENT_EVENT_TYPES = modelsGroup.events
export type DocumentEventType = (typeof DOCUMENT_EVENT_TYPES)[keyof typeof DOCUMENT_EVENT_TYPES]

export const documentEventSchema = webhookEventSchema(
  z.enum(Object.values(DOCUMENT_EVENT_TYPES)),
  ocrDocumentSchema,
).meta({
  id: 'DocumentEvent',
  description:
    'Sent to subscribed endpoints when a document has ended, whether it was read or failed; `data` is the document without its pages.',
})
export type DocumentEvent = z.output<typeof documentEventSchema>
