import { type BatchEndpoint, batchRequestSchema, contract, readInput, sizeText } from '@vaani/contracts'
import type { z } from 'zod'

interface Route {
  body: z.ZodType
  metadata: { bodyLimitBytes: number }
}
const ROUTES: Readonly<Record<BatchEndpoint, Route>> = {
  '/v1/chat/completions': contract.models.chat,
  '/v1/responses': contract.models.respond,
  '/v1/completions': contract.models.complete,
  '/v1/embeddings': contract.models.embed,
  '/v1/moderations': contract.models.moderate,
  '/v1/audio/speech': contract.models.speech,
  '/v1/engine/synthesize': contract.synthesis.synthesize,
  '/v1/ocr/process': contract.models.ocr,
}

/** Fields with which a body asks for a stream, and a value that does not. */
const UNSTREAMED: Readonly<Partial<Record<BatchEndpoint, { field: string; value: unknown }>>> = {
  '/v1/chat/completions': { field: 'stream', value: false },
  '/v1/responses': { field: 'stream', value: false },
  '/v1/completions': { field: 'stream', value: false },
  '/v1/audio/speech': { field: 'stream_format', value: 'audio' },
}

/** How much longer than sent a body may be once written again: `1e20` becomes `100000000000000000000`. */
const MOST_GROWTH = 6

/** Room for the members of a request beside its body: a `custom_id` of 64 characters, each escaped, and white space. */
const AROUND_BODY_BYTES = 4096

/** Returns the size of a request, as it is sent, over which it is not even parsed. */
export const maxRequestBytes = (endpoint: BatchEndpoint): number =>
  ROUTES[endpoint].metadata.bodyLimitBytes + AROUND_BODY_BYTES

/** Reports a body that is larger than its endpoint takes. */
export const bodyTooLarge = (endpoint: BatchEndpoint): Issue => ({
  path: ['body'],
  message: `must be at most ${sizeText(ROUTES[endpoint].metadata.bodyLimitBytes)}`,
})

interface Issue {
  path: readonly PropertyKey[]
  message: string
  code?: string
  keys?: readonly string[]
}

/** A request of a batch, or what is wrong with it. */
export type CheckedRequest =
  | { request: Pick<z.output<typeof batchRequestSchema>, 'custom_id' | 'body'>; issues?: undefined }
  | { issues: readonly Issue[]; request?: undefined }

/**
 * Checks a request of a batch as its endpoint would, except for what only its state tells.
 *
 * @param sentBytes size of the whole request, as it was sent
 */
export function checkRequest(endpoint: BatchEndpoint, value: unknown, sentBytes: number): CheckedRequest {
  const parsed = readInput(batchRequestSchema, value)
  if (!parsed.success) return { issues: parsed.error.issues.map(toIssue) }
  const { method: _, url, ...request } = parsed.data
  if (url !== undefined && url !== endpoint)
    return { issues: [{ path: ['url'], message: `must be ${endpoint}, the endpoint of the batch` }] }
  const { body, metadata } = ROUTES[endpoint]
  const limit = metadata.bodyLimitBytes
  // Written again only if it may be too large, because that takes as long as reading it.
  if (sentBytes * MOST_GROWTH > limit && Buffer.byteLength(JSON.stringify(request.body)) > limit)
    return { issues: [bodyTooLarge(endpoint)] }
  const checked = readInput(body, request.body)
  if (!checked.success)
    return {
      issues: checked.error.issues.map((issue) => toIssue({ ...issue, path: ['body', ...issue.path] })),
    }
  const { field, value: unstreamed } = UNSTREAMED[endpoint] ?? {}
  // Like other members, it may be null instead of absent.
  if (field === undefined || [undefined, null, unstreamed].includes(request.body[field])) return { request }
  return { issues: [{ path: ['body', field], message: `must be ${JSON.stringify(unstreamed)} in a batch` }] }
}

/** Leaves out the error code that the endpoint would answer with, because the batch is what is refused. */
const toIssue = ({ path, message, code, ...rest }: Issue): Issue => ({
  path,
  message,
  ...(code !== undefined && { code }),
  ...('keys' in rest && rest.keys && { keys: rest.keys }),
})
