import { isUtf8 } from 'node:buffer'
import { LIMITS } from '@vaani/contracts'
import { isDeeperThan } from '@vaani/service-kit/http/json-body'

/** Parses JSON as the service parses bodies. */
export function parseJson(
  text: Buffer,
): { value: unknown; issue?: undefined } | { issue: string; value?: undefined } {
  if (!isUtf8(text)) return { issue: 'must be UTF-8' }
  if (isDeeperThan(text, LIMITS.jsonBodyDepth))
    return { issue: `must not be nested more than ${LIMITS.jsonBodyDepth} levels deep` }
  try {
    return { value: JSON.parse(text.toString()) }
  } catch {
    return { issue: 'must be JSON' }
  }
}
