import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'

const FORM_TYPE = /^multipart\/form-data\s*;/i
/** A boundary within the limits of RFC 2046, section 5.1.1. */
const BOUNDARY = /;\s*boundary=("[^"]{1,70}"|[^\s";,]{1,70})\s*(;|$)/i

/** @throws ApiError `unsupported_media_type` unless the body is a multipart form */
export function requireForm(request: FastifyRequest): void {
  const { 'content-type': type = '' } = request.headers
  if (!FORM_TYPE.test(type) || !BOUNDARY.test(type))
    throw new ApiError('unsupported_media_type', 'Send multipart/form-data with a boundary')
}

/** Whether a text counts as absent: a page sends an empty one for each input that was left empty. */
export const isLeftEmpty = (value: unknown, part: { readonly required: boolean }): boolean =>
  value === '' && !part.required

const LIMIT_CODES = new Set(['FST_PARTS_LIMIT', 'FST_FIELDS_LIMIT', 'FST_FILES_LIMIT'])

/** Reads the parts of a form, or the bytes of one. If reading fails, the form is malformed or the request broke off. */
export async function* readForm<Item>(
  request: FastifyRequest,
  source: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  try {
    yield* source
  } catch (error) {
    if (request.raw.errored !== null) throw request.raw.errored
    const isOverLimit = error instanceof Error && 'code' in error && LIMIT_CODES.has(String(error.code))
    const fault = isOverLimit ? 'has too many parts' : 'is not well-formed'
    throw new ApiError('invalid_request', `The form ${fault}`, { cause: error })
  }
}
