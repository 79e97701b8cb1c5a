import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { binaryBodySchema, defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import { chatCompletionRequestSchema, chatCompletionSchema } from './chat.ts'
import {
  batchSchema,
  createBatchSchema,
  deploySchema,
  deploymentSchema,
  ocrRequestSchema,
  ocrResultSchema,
  speechRequestSchema,
} from './resources.ts'

const MIB = 1024 * 1024
const batchPath = z.object({ batch_id: namedIdSchema('batch', 'not_found') })

/** Hosted models. */
export const modelRoutes = {
  chat: defineRoute({
    operation: 'models.chat',
    method: 'POST',
    path: '/v1/chat/completions',
    summary: 'Complete a chat',
    description: 'The OpenAI wire format: tools, structured outputs, and with `stream` a stream of events.',
    scope: 'models:use',
    limit: 'chat',
    bodyLimitBytes: 4 * MIB,
    body: chatCompletionRequestSchema,
    success: { 200: z.union([binaryBodySchema, chatCompletionSchema]) },
  }),
  speech: defineRoute({
    operation: 'models.speech',
    method: 'POST',
    path: '/v1/audio/speech',
    summary: 'Speak a text',
    description: 'The OpenAI wire format.',
    scope: 'models:use',
    limit: 'speech',
    body: speechRequestSchema,
    success: { 200: binaryBodySchema },
    successBody: 'audio',
    errors: ['text_too_long', 'voice_not_found'],
  }),
  ocr: defineRoute({
    operation: 'models.ocr',
    method: 'POST',
    path: '/v1/ocr/process',
    summary: 'Read a document',
    description: 'Text with its places, from an image as base64.',
    scope: 'models:use',
    limit: 'ocr',
    bodyLimitBytes: Math.ceil((LIMITS.imageBytes * 4) / 3) + LIMITS.jsonBodyBytes,
    body: ocrRequestSchema,
    success: { 200: ocrResultSchema },
    errors: ['missing_artifact', 'media_unreadable'],
  }),
} as const

/** Asynchronous batches. */
export const batchRoutes = {
  create: defineRoute({
    operation: 'batches.create',
    method: 'POST',
    path: '/v1/batch',
    summary: 'Create a batch',
    description: `Up to ${LIMITS.batchRequestsMax} requests of one endpoint, worked off in the background.`,
    scope: 'batch:write',
    limit: 'batch',
    bodyLimitBytes: LIMITS.batchBodyBytes,
    body: createBatchSchema,
    success: { 202: batchSchema },
  }),
  retrieve: defineRoute({
    operation: 'batches.retrieve',
    method: 'GET',
    path: '/v1/batch/:batch_id',
    summary: 'Read a batch',
    description: 'Its status and counts.',
    scope: 'batch:write',
    pathParams: batchPath,
    success: { 200: batchSchema },
    errors: ['not_found'],
  }),
  list: defineRoute({
    operation: 'batches.list',
    method: 'GET',
    path: '/v1/batch',
    summary: 'List batches',
    description: 'Newest first.',
    scope: 'batch:write',
    beyondSpecification: true,
    query: pageQuerySchema('batch'),
    success: { 200: pageSchema(batchSchema) },
  }),
  results: defineRoute({
    operation: 'batches.results',
    method: 'GET',
    path: '/v1/batch/:batch_id/results',
    summary: 'Read the results of a batch',
    description: 'One JSON object a line, in the order in which they ended.',
    scope: 'batch:write',
    pathParams: batchPath,
    success: { 200: binaryBodySchema },
    successBody: 'ndjson',
    errors: ['not_found'],
  }),
  cancel: defineRoute({
    operation: 'batches.cancel',
    method: 'POST',
    path: '/v1/batch/:batch_id/cancel',
    summary: 'Cancel a batch',
    description: 'Requests that have not begun are dropped.',
    scope: 'batch:write',
    pathParams: batchPath,
    body: noBody,
    success: { 200: batchSchema },
    errors: ['not_found', 'state_conflict'],
  }),
} as const

/** Models in the customer's own network. */
export const deploymentRoutes = {
  create: defineRoute({
    operation: 'deployments.create',
    secretAnswer: true,
    method: 'POST',
    path: '/enterprise/deploy',
    summary: 'Deploy on premise',
    description:
      'A signed licence and a manifest that runs the server in the customer’s network. Enterprise only.',
    scope: 'deploy:write',
    body: deploySchema,
    success: { 201: deploymentSchema },
  }),
} as const
