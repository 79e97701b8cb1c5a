import { VaaniError } from '../errors.ts'
import { createApiError } from './api-error.ts'
import { findFault } from './find-fault.ts'
import { parseJson } from './json.ts'
import type { Received } from './attempt.ts'
import { readingFailure } from './reading-failure.ts'

/** Exceeds every response of the contract; bounds the memory, because a body is buffered. */
const MAX_JSON_BYTES = 2 ** 24
const MAX_ERROR_BYTES = 2 ** 16

/** Reads the whole body as text, within the time limit of the attempt. */
export async function readWholeText(received: Received): Promise<string> {
  try {
    return await readText(received, MAX_JSON_BYTES)
  } finally {
    received.release()
  }
}

/**
 * Reads the whole body as JSON, within the time limit of the attempt. Returns undefined if it is empty and the route defines none.
 *
 * @throws ApiError `unrecognized` if the body does not match the route
 */
export async function readJson<Data>(received: Received): Promise<Data> {
  try {
    const text = await readText(received, MAX_JSON_BYTES)
    const data = parseJson(text)
    const fault = text && data === undefined ? 'the body is not JSON' : findFault(data, received.route.fields)
    if (fault) throw createApiError(received, '', text ? fault : 'the body is empty')
    return data as Data
  } finally {
    received.release()
  }
}

/** Reads the text of a refusal; returns an empty text if reading fails, because the status is enough. */
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
    // Not every `fetch` cancels the body when the attempt is aborted.
    reader.cancel().catch(() => undefined)
    throw VaaniError.isInstance(cause) ? cause : readingFailure(received, cause)
  }
}
