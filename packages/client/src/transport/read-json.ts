import { VaaniError } from '../errors.ts'
import { createApiError } from './api-error.ts'
import { findFault } from './find-fault.ts'
import { parseJson } from './json.ts'
import type { Received } from './attempt.ts'
import { readingFailure } from './reading-failure.ts'

/** More than any answer of the contract: a body is held in memory to be parsed. */
const MAX_JSON_BYTES = 2 ** 24
const MAX_ERROR_BYTES = 2 ** 16

/**
 * The whole body as JSON, within the time of the try; undefined if it is empty and the route promises none.
 *
 * @throws ApiError `unrecognized` if it is not what the route promises
 */
export async function readJson<Data>(received: Received): Promise<Data> {
  try {
    const text = await readText(received, MAX_JSON_BYTES)
    const data = parseJson(text)
    const fault = text && data === undefined ? 'the body is no JSON' : findFault(data, received.route.fields)
    if (fault) throw createApiError(received, '', text ? fault : 'the body is empty')
    return data as Data
  } finally {
    received.release()
  }
}

/** The text of a refusal; empty if it does not come, as its status tells enough. */
export const readRefusal = (received: Received): Promise<string> =>
  readText(received, MAX_ERROR_BYTES).catch(() => '')

async function readText(received: Received, maxBytes: number): Promise<string> {
  const { body } = received.response
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      bytes += value.length
      if (bytes > maxBytes) throw createApiError(received, '', `the body is over ${maxBytes} bytes`)
      text += decoder.decode(value, { stream: true })
    }
  } catch (cause) {
    // Not every fetch ends its body by the signal of the try.
    reader.cancel().catch(() => undefined)
    throw VaaniError.isInstance(cause) ? cause : readingFailure(received, cause)
  }
}
