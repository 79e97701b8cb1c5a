import type { CreateBatchRequest } from '@vaani/client'
import { usageError } from '../failure/cli-error.ts'
import { parseJson } from './parse-json.ts'

type BatchRequest = CreateBatchRequest['requests'][number]

/**
 * Reads the requests of a batch, one per line. The service checks what they say.
 *
 * @throws CliError naming the line, which it does not quote
 */
export function parseRequests(text: string): BatchRequest[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const request = parseLine(line)
    if (request === undefined) throw usageError(`line ${index + 1} must be JSON with a custom_id and a body`)
    return [request]
  })
}

function parseLine(line: string): BatchRequest | undefined {
  let value: unknown
  try {
    value = parseJson(line)
  } catch {
    return undefined
  }
  return isRequest(value) ? value : undefined
}

const isRequest = (value: unknown): value is BatchRequest =>
  typeof value === 'object' &&
  value !== null &&
  'custom_id' in value &&
  typeof value.custom_id === 'string' &&
  'body' in value &&
  typeof value.body === 'object' &&
  value.body !== null
