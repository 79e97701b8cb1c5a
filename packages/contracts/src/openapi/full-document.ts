import { callEventSchema } from '../calls/events.ts'
import { contract } from '../contract.ts'
import { verificationEventSchema } from '../identity/events.ts'
import { endpointEventSchema } from '../webhooks/endpoint-events.ts'
import { createOpenApiDocument } from './create-document.ts'
import type { JsonObject } from './schemas.ts'

/** The events that the service sends, as the document lists them. */
export const WEBHOOKS = [
  { name: 'call', schema: callEventSchema, description: 'A call changed its status' },
  { name: 'verification', schema: verificationEventSchema, description: 'A verification was decided' },
  { name: 'endpoint', schema: endpointEventSchema, description: 'A webhook endpoint fails or was disabled' },
] as const

/** The document of the whole contract: what is in `openapi.json`. */
export const fullDocument = (): JsonObject =>
  createOpenApiDocument(contract, { title: 'Vaani', version: '1.0.0', webhooks: WEBHOOKS })
