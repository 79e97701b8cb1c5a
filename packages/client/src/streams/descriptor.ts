import { ApiError } from '../errors.ts'
import type { ReceivedBody } from '../transport/received-body.ts'

/**
 * A descriptor in a header, as one line of JSON.
 *
 * @throws ApiError `unrecognized` where it is not there, as behind a proxy or a browser that hides it
 */
export function readDescriptor<Descriptor>(body: ReceivedBody, header: string): Descriptor {
  const { response, context } = body
  try {
    return JSON.parse(response.headers.get(header) ?? '')
  } catch {
    throw new ApiError({ ...context, status: response.status, code: 'unrecognized', retryable: false })
  }
}
