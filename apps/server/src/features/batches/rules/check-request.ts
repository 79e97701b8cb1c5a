import { type BatchEndpoint, batchRequestSchema, contract } from '@vaani/contracts'
import type { z } from 'zod'

const BODIES: Readonly<Record<BatchEndpoint, z.ZodType>> = {
  '/v1/chat/completions': contract.models.chat.body,
  '/v1/audio/speech': contract.models.speech.body,
  '/v1/engine/synthesize': contract.synthesis.synthesize.body,
  '/v1/ocr/process': contract.models.ocr.body,
}

/** Fields with which a body asks for a stream, and a value that does not. */
const UNSTREAMED: Readonly<Partial<Record<BatchEndpoint, { field: string; value: unknown }>>> = {
  '/v1/chat/completions': { field: 'stream', value: false },
  '/v1/audio/speech': { field: 'stream_format', value: 'audio' },
}

interface Issue {
  path: readonly PropertyKey[]
  message: string
  code?: string
  keys?: readonly string[]
}

/** A request of a batch, or what is wrong with it. */
export type CheckedRequest =
  | { request: z.output<typeof batchRequestSchema>; issues?: undefined }
  | { issues: readonly Issue[]; request?: undefined }

/** Checks a request of a batch as its endpoint would, except for what only its state tells. */
export function checkRequest(endpoint: BatchEndpoint, value: unknown): CheckedRequest {
  const parsed = batchRequestSchema.safeParse(value)
  if (!parsed.success) return { issues: parsed.error.issues.map(toIssue) }
  const request = parsed.data
  const checked = BODIES[endpoint].safeParse(request.body)
  if (!checked.success)
    return {
      issues: checked.error.issues.map((issue) => toIssue({ ...issue, path: ['body', ...issue.path] })),
    }
  const { field, value: unstreamed } = UNSTREAMED[endpoint] ?? {}
  if (field === undefined || !Object.hasOwn(request.body, field) || request.body[field] === unstreamed)
    return { request }
  return { issues: [{ path: ['body', field], message: `must be ${JSON.stringify(unstreamed)} in a batch` }] }
}

/** Leaves out the error code that the endpoint would answer with, because the batch is what is refused. */
const toIssue = ({ path, message, code, ...rest }: Issue): Issue => ({
  path,
  message,
  ...(code !== undefined && { code }),
  ...('keys' in rest && rest.keys && { keys: rest.keys }),
})
