import { ERRORS, type ErrorCode } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { request } from 'undici'
import { z } from 'zod'
import type { WorkerSettings } from './settings.ts'

interface WorkerRequest {
  method: string
  /** Path and query. */
  target: string
  body?: unknown
  /** What the contract says of the answer. */
  answer: z.ZodType
}

/**
 * Sends a request of the contract to the worker, and returns what it answers.
 *
 * @throws ApiError the worker's own refusal; `service_unavailable` if it cannot be asked, or its answer is none of the contract
 */
export type AskWorker = (request: WorkerRequest) => Promise<unknown>

/** The check of a migration waits for a callback, and erases what it asked with. */
const LIMIT_MS = 120_000

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)
const refusalSchema = z.object({
  error: z.object({
    code: z.string().refine(isCode),
    message: z.string(),
    param: z.string().nullish(),
  }),
})

export const createAskWorker =
  ({ url, apiKey }: WorkerSettings): AskWorker =>
  async ({ method, target, body, answer }) => {
    const { status, text } = await send(new URL(target, url), {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const value = parse(text)
    if (status === 200 && value !== undefined) {
      if (answer.safeParse(value).success) return value
      throw new ApiError(
        'service_unavailable',
        'The worker of the migration gives answers that this server does not know: are both of one version?',
      )
    }
    const refusal = refusalSchema.safeParse(value).data?.error
    if (refusal === undefined || status >= 500)
      throw new ApiError('service_unavailable', 'The worker of the migration has failed')
    if (refusal.code === 'unauthorized' || refusal.code === 'forbidden')
      throw new ApiError('service_unavailable', 'The worker of the migration refuses VAANI_MIGRATION_API_KEY')
    throw new ApiError(refusal.code, refusal.message, { param: refusal.param ?? null })
  }

async function send(
  url: URL,
  options: { method: string; headers: Record<string, string>; body?: string },
): Promise<{ status: number; text: string }> {
  try {
    // A connection that was kept may be closed at the worker's end just when it is used again.
    const { statusCode, body } = await request(url, {
      ...options,
      reset: true,
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    return { status: statusCode, text: await body.text() }
  } catch (cause) {
    throw new ApiError('service_unavailable', 'The worker of the migration does not answer', { cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
