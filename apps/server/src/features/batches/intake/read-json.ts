import {
  type BatchEndpoint,
  batchOptionsSchema,
  createBatchSchema,
  LIMITS,
  readInput,
  sizeText,
} from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { JsonElementsError, readJsonWithLongArray } from '@vaani/service-kit/http/body/json-elements'
import { z } from 'zod'
import { bodyTooLarge, maxRequestBytes } from '../rules/check-request.ts'
import { refusalOf } from './refusal.ts'
import type { BatchSink, Reading } from './sink.ts'

const REQUESTS = 'requests'
const wholeSchema = createBatchSchema.extend({ [REQUESTS]: z.tuple([]) })

/** Reads a JSON body and passes its requests on as they arrive. @throws ApiError */
export async function readJson(source: AsyncIterable<Buffer>, sink: BatchSink): Promise<Reading> {
  let position = 0
  let endpoint: BatchEndpoint | undefined
  try {
    const rest = await readJsonWithLongArray({
      source,
      maxRestBytes: LIMITS.jsonBodyBytes,
      array: {
        name: REQUESTS,
        begin(before) {
          const parsed = readInput(batchOptionsSchema.pick({ endpoint: true }).loose(), before)
          if (!parsed.success)
            throw new ApiError(
              'invalid_request',
              'endpoint: must be one of the endpoints, and come before requests',
              {
                param: 'endpoint',
              },
            )
          endpoint = parsed.data.endpoint
          sink.begin(endpoint)
          return maxRequestBytes(endpoint)
        },
        element: (text) => sink.add(text, [REQUESTS, position++]),
      },
    })
    const parsed = readInput(wholeSchema, rest)
    if (!parsed.success) throw refusalOf(parsed.error.issues)
    return parsed.data
  } catch (error) {
    if (!(error instanceof JsonElementsError)) throw error
    if (error.code === 'element_too_large' && endpoint !== undefined)
      throw refusalOf(
        [bodyTooLarge(endpoint)].map((issue) => ({ ...issue, path: [REQUESTS, position, ...issue.path] })),
      )
    throw translate(error)
  }
}

function translate(error: JsonElementsError): ApiError {
  switch (error.code) {
    case 'not_json':
      return new ApiError('invalid_request', 'The body is not JSON', { cause: error })
    case 'sent_twice':
      return new ApiError('invalid_request', 'requests: is sent twice', { param: REQUESTS, cause: error })
    // The limit of the body is higher.
    case 'too_large':
      return new ApiError(
        'invalid_request',
        `All members but requests must have at most ${sizeText(LIMITS.jsonBodyBytes)}`,
        { cause: error },
      )
    case 'element_too_large':
      return new ApiError('payload_too_large', 'The body is over the size limit', { cause: error })
  }
}
