import { createApiError } from '../transport/api-error.ts'
import { parseJson } from '../transport/json.ts'
import type { Received } from '../transport/attempt.ts'

/**
 * Reads a descriptor from a header that contains one line of JSON.
 *
 * @throws ApiError `unrecognized` if it is missing or malformed, for example because a proxy or a browser hides the header
 */
export function readDescriptor<Descriptor>(received: Received, header: string): Descriptor {
  const descriptor = parseJson(received.response.headers.get(header) ?? '')
  if (descriptor === undefined) throw createApiError(received, '')
  return descriptor as Descriptor
}
