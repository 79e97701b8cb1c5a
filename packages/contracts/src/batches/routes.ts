import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { binaryBodySchema, defineRoute, type StreamDefinition } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import { batchResultSchema, batchSchema, createBatchSchema } from './resources.ts'

const [OPTIONS, ...REQUESTS] = [
  { endpoint: '/v1/engine/synthesize' },
  { custom_id: 'letter-1', body: { model: 'synth-v1', text: 'Good morning.' } },
  { custom_id: 'letter-2', body: { model: 'synth-v1', text: 'Good night.' } },
]

const batchPath = z.object({ batch_id: namedIdSchema('batch', 'not_found') })

const RESULT_EXAMPLE = {
  custom_id: 'letter-1',
  status: 200,
  body: { text: 'Good morning.' },
} satisfies z.output<typeof batchResultSchema>

const RESULT_STREAM: StreamDefinition = {
  item: batchResultSchema,
  example: `${JSON.stringify(RESULT_EXAMPLE)}\n`,
}

/** Asynchronous batches. */
export const batchRoutes = {
  create: defineRoute({
    operation: 'batches.create',
    method: 'POST',
    path: '/v1/batch',
    summary: 'Create a batch',
    description:
      `Takes up to ${LIMITS.batchRequestsMax} requests to one endpoint and processes them in the background, after interactive ` +
      'requests. A batch with a faulty request is refused as a whole; the error lists up to 20 of them. Needs the scope of the endpoint too. Requests count against no rate but that of batches.',
    scope: 'batch:write',
    limit: 'batch',
    concurrency: 'unfinished_batches',
    background: true,
    bodyLimitBytes: LIMITS.batchBodyBytes,
    body: createBatchSchema,
    lines: {
      description:
        'First line: the other members of the JSON body. Every further line: one request. A batch file of OpenAI has ' +
        `requests alone: the \`url\` of the first is the endpoint. Blank lines count toward the limit of ${LIMITS.batchLinesMax} lines.`,
      example: [OPTIONS, ...REQUESTS].map((line) => `${JSON.stringify(line)}\n`).join(''),
    },
    success: { 202: batchSchema },
    errors: ['text_too_long', 'state_conflict'],
  }),
  retrieve: defineRoute({
    operation: 'batches.retrieve',
    method: 'GET',
    path: '/v1/batch/:batch_id',
    summary: 'Read a batch',
    description: 'Returns the status and counts of the batch.',
    scope: 'batch:write',
    background: true,
    pathParams: batchPath,
    success: { 200: batchSchema },
    errors: ['not_found'],
  }),
  list: defineRoute({
    operation: 'batches.list',
    method: 'GET',
    path: '/v1/batch',
    summary: 'List batches',
    description: 'Lists the account’s batches, newest first.',
    scope: 'batch:write',
    background: true,
    beyondSpecification: true,
    query: pageQuerySchema('batch'),
    success: { 200: pageSchema(batchSchema) },
  }),
  results: defineRoute({
    operation: 'batches.results',
    method: 'GET',
    path: '/v1/batch/:batch_id/results',
    summary: 'Read the results of a batch',
    description:
      'Returns one JSON object per line, in the order in which the requests ended. Can be read while the batch runs, and for 30 days after its end unless the server sets another time.',
    scope: 'batch:write',
    background: true,
    pathParams: batchPath,
    success: { 200: binaryBodySchema },
    successBody: 'ndjson',
    stream: RESULT_STREAM,
    errors: ['not_found'],
  }),
  cancel: defineRoute({
    operation: 'batches.cancel',
    method: 'POST',
    path: '/v1/batch/:batch_id/cancel',
    summary: 'Cancel a batch',
    description:
      'Drops the requests that have not started. Those that have may still end, and are then among the results. Canceling a canceled batch changes nothing.',
    scope: 'batch:write',
    background: true,
    pathParams: batchPath,
    body: noBody,
    success: { 200: batchSchema },
    errors: ['not_found', 'state_conflict'],
  }),
} as const
