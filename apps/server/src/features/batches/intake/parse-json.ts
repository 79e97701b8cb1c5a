import { isUtf8 } from 'node:buffer'
import { findExcess } from '@vaani/service-kit/http/body/json-body'
import { parseJson as parse } from '@vaani/service-kit/http/body/parse-json'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'

/** Parses JSON as the service parses bodies. */
export function parseJson(
  text: Buffer,
): { value: unknown; issue?: undefined } | { issue: string; value?: undefined } {
  if (!isUtf8(text)) return { issue: 'must be UTF-8' }
  const excess = findExcess(text)
  if (excess !== null) return { issue: excess }
  try {
    return { value: parse(text.toString()) }
  } catch (error) {
    if (error instanceof ApiError) return { issue: error.message }
    return { issue: 'must be JSON' }
  }
}
