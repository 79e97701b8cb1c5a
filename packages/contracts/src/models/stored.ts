/** Files and batches in the wire format of OpenAI, which upstreams keep. Objects stay open in both directions, as in chats. */
import { z } from 'zod'
import { openObject } from '../shared/json.ts'
import { LIMITS } from '../shared/limits.ts'
import { binaryBodySchema, defineRoute, type PartDefinition, type StreamDefinition } from '../shared/route.ts'
import { textSchema } from '../shared/text.ts'
import { formData, noBody } from '../shared/ts-rest.ts'

const storedIdSchema = textSchema
  .regex(/^[\w.-]{1,200}$/, 'must be an id that the server returned')
  .meta({ examples: ['file-abc123'] })

const filePath = z.object({ file_id: storedIdSchema })
const batchPath = z.object({ stored_batch_id: storedIdSchema })

/** Parts of the form that stores a file; unknown texts are passed on too. */
export const STORED_FILE_PARTS = {
  file: {
    kind: 'file',
    required: true,
    maxBytes: LIMITS.batchBodyBytes,
    mediaTypes: ['application/jsonl'],
    description: `Up to ${LIMITS.batchRequestsMax} requests as lines of JSON, all with the same model in their body.`,
  },
  purpose: {
    kind: 'text',
    required: true,
    schema: z.literal('batch'),
    description: 'Must be `batch`: other files are not passed on.',
  },
} as const satisfies Record<string, PartDefinition>

const listQuerySchema = z.strictObject({
  after: storedIdSchema.optional().meta({ description: '`last_id` of the previous page.' }),
  limit: z.coerce.number().int().min(1).max(LIMITS.pageMax).default(LIMITS.pageDefault).meta({
    description: 'Maximum number of objects to return.',
  }),
})

const listFilesQuerySchema = listQuerySchema.extend({
  purpose: textSchema.max(64).optional().meta({
    description: 'Returns only files that have this purpose, such as `batch` or `batch_output`.',
  }),
  order: z.enum(['asc', 'desc']).default('desc').meta({
    description: '`desc` for the newest first, `asc` for the oldest first.',
  }),
})

const storedFileSchema = z
  .looseObject({ id: z.string(), object: z.string().optional(), purpose: z.string().optional() })
  .meta({ id: 'StoredFile', description: 'A file in the wire format of OpenAI.' })

const removedFileSchema = z.looseObject({ id: z.string(), deleted: z.boolean() }).meta({ id: 'RemovedFile' })

const createStoredBatchSchema = openObject({
  input_file_id: storedIdSchema,
  endpoint: textSchema.min(1).max(200),
  completion_window: textSchema.min(1).max(20),
}).meta({
  id: 'CreateStoredBatch',
  examples: [{ input_file_id: 'file-abc123', endpoint: '/v1/chat/completions', completion_window: '24h' }],
})

const storedBatchSchema = z
  .looseObject({ id: z.string(), object: z.string().optional(), status: z.string().optional() })
  .meta({ id: 'StoredBatch', description: 'A batch in the wire format of OpenAI.' })

const listSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })

const CONTENT: StreamDefinition = {
  item: z.looseObject({ custom_id: z.string().optional() }).meta({ id: 'StoredLine' }),
  example: '{"custom_id":"one","response":{"status_code":200,"body":{"model":"chat-small"}},"error":null}\n',
}

const KEPT =
  'Passed on in the wire format of OpenAI to an upstream that has batches for the model, which keeps files and batches; 404 if none has. An account sees its own alone.'

const base = { scope: 'models:use', limit: 'chat', beyondSpecification: true, errors: ['not_found'] } as const

/** Routes of files and batches that upstreams keep. */
export const storedRoutes = {
  createFile: defineRoute({
    ...base,
    operation: 'models.createFile',
    method: 'POST',
    path: '/v1/files',
    summary: 'Store a file of requests',
    description: `${KEPT} Every line is checked for its model, which the upstream gets under its own name. The name of the file is not kept. An account has at most ${LIMITS.storedFilesPerAccount} files in each mode.`,
    limit: 'batch',
    concurrency: 'concurrent_streams',
    contentType: 'multipart/form-data',
    body: formData,
    parts: STORED_FILE_PARTS,
    bodyLimitBytes: LIMITS.batchBodyBytes + LIMITS.jsonBodyBytes,
    success: { 200: storedFileSchema },
    errors: ['not_found', 'state_conflict'],
  }),
  listFiles: defineRoute({
    ...base,
    operation: 'models.listFiles',
    method: 'GET',
    path: '/v1/files',
    summary: 'List files of requests',
    description: 'Lists the files of the account and the results of its batches.',
    query: listFilesQuerySchema,
    success: { 200: listSchema(storedFileSchema) },
  }),
  retrieveFile: defineRoute({
    ...base,
    operation: 'models.retrieveFile',
    method: 'GET',
    path: '/v1/files/:file_id',
    summary: 'Read about a file',
    description: 'Returns what is known about a file.',
    pathParams: filePath,
    success: { 200: storedFileSchema },
  }),
  readFile: defineRoute({
    ...base,
    operation: 'models.readFile',
    method: 'GET',
    path: '/v1/files/:file_id/content',
    summary: 'Read a file',
    description: 'Returns the lines of a file, such as the results of a batch.',
    pathParams: filePath,
    success: { 200: binaryBodySchema },
    successBody: 'ndjson',
    stream: CONTENT,
  }),
  removeFile: defineRoute({
    ...base,
    operation: 'models.removeFile',
    method: 'DELETE',
    path: '/v1/files/:file_id',
    summary: 'Delete a file',
    description: 'Deletes a file here and at the upstream.',
    pathParams: filePath,
    body: noBody,
    success: { 200: removedFileSchema },
  }),
  createBatch: defineRoute({
    ...base,
    operation: 'models.createBatch',
    method: 'POST',
    path: '/v1/batches',
    summary: 'Create a batch of a file',
    description: `${KEPT} Its requests count in the usage of the model once it has ended.`,
    limit: 'batch',
    concurrency: 'unfinished_batches',
    body: createStoredBatchSchema,
    success: { 200: storedBatchSchema },
    errors: ['not_found', 'state_conflict'],
  }),
  listBatches: defineRoute({
    ...base,
    operation: 'models.listBatches',
    method: 'GET',
    path: '/v1/batches',
    summary: 'List batches of files',
    description: 'Lists the batches of the account, newest first, with the status that was last read.',
    query: listQuerySchema,
    success: { 200: listSchema(storedBatchSchema) },
  }),
  retrieveBatch: defineRoute({
    ...base,
    operation: 'models.retrieveBatch',
    method: 'GET',
    path: '/v1/batches/:stored_batch_id',
    summary: 'Read a batch of a file',
    description: 'Asks the upstream for the status and the counts of a batch that has not ended.',
    pathParams: batchPath,
    success: { 200: storedBatchSchema },
  }),
  cancelBatch: defineRoute({
    ...base,
    operation: 'models.cancelBatch',
    method: 'POST',
    path: '/v1/batches/:stored_batch_id/cancel',
    summary: 'Cancel a batch of a file',
    description: 'Asks the upstream to cancel a batch.',
    pathParams: batchPath,
    body: noBody,
    success: { 200: storedBatchSchema },
  }),
} as const
