import { contract, WEBHOOKS } from '../contract.ts'
import { createOpenApiDocument } from './create-document.ts'
import type { JsonObject } from './schemas.ts'

/** Returns the document of the whole contract, as in `openapi.json`. */
export const fullDocument = (): JsonObject =>
  createOpenApiDocument(contract, { title: 'Vaani', version: '1.0.0', webhooks: WEBHOOKS })
