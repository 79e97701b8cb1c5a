import { isUtf8 } from 'node:buffer'
import { findExcess } from '@vaani/service-kit/http/body/json-body'

/** Parses JSON as the service parses bodies. */
export function parseJson(
  text: Buffer,
): { value: unknown; issue?: undefined } | { issue: string; value?: undefined } {
  if (!isUtf8(text)) return { issue: 'must be UTF-8' }
  const excess = findExcess(text)
  if (excess !== null) return { issue: excess }
  try {
    return { value: JSON.parse(text.toString()) }
  } catch {
    return { issue: 'must be JSON' }
  }
}
