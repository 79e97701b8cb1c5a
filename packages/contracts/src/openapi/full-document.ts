import { contract, WEBHOOKS } from '../contract.ts'
import { createOpenApiDocument } from './create-document.ts'
import type { JsonObject } from './schemas.ts'

/** The document of the whole contract: what is in `openapi.json`. */
export const fullDocument = (): JsonObject =>
  createOpenApiDocument(contract, { title: 'Vaani', version: '1.0.0', webhooks: WEBHOOKS })
