import { createApiError } from '../transport/api-error.ts'
import { parseJson } from '../transport/json.ts'
import type { Received } from '../transport/attempt.ts'

/**
 * A descriptor in a header, as one line of JSON.
 *
 * @throws ApiError `unrecognized` where it is not there, as behind a proxy or a browser that hides it
 */
export function readDescriptor<Descriptor>(received: Received, header: string): Descriptor {
  const descriptor = parseJson(received.response.headers.get(header) ?? '')
  if (descriptor === undefined) throw createApiError(received, '')
  return descriptor as Descriptor
}
