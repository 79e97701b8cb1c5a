import { type ErrorContext, TruncatedStreamError } from '../errors.ts'
import { createApiError } from './api-error.ts'
import type { Clock } from './clock.ts'
import type { Interruption } from './interruption.ts'
import { parseJson } from './json.ts'

/** A success whose body is not read yet, and what bounds the reading. */
export interface Received {
  readonly response: Response
  readonly context: ErrorContext
  readonly interruption: Interruption
  readonly idleTimeoutMs: number
  readonly clock: Clock
}

/** What ended the reading of a body: the end of its try, or that of the body before it was whole. */
export const readingFailure = ({ context, interruption: { signal } }: Received, cause?: unknown): unknown =>
  signal.aborted ? signal.reason : new TruncatedStreamError({ ...context, cause })

/** The whole body as JSON, within the time of the try; undefined where it is empty. */
export async function readJson<Data>(received: Received): Promise<Data> {
  let text: string
  try {
    text = await received.response.text()
  } catch (cause) {
    throw readingFailure(received, cause)
  } finally {
    received.interruption.release()
  }
  const data = parseJson(text)
  if (data === undefined && text !== '') throw createApiError(received, text)
  return data as Data
}
