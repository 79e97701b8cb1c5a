import type { WebhookEvent } from '../events.ts'
import type { HeaderSource } from '../headers.ts'
import { FAILURE_MESSAGES } from '../result.ts'
import type { FailureCode } from '../result.ts'
import type { Verifier } from '../verifier.ts'

/** What an adapter needs. */
export interface ReceiverOptions<Event = WebhookEvent> {
  readonly verifier: Verifier<Event>
  /**
   * Called once for each genuine delivery. Where it throws, the framework answers 500 and the id is given back to the
   * replay store, so that the next attempt is taken.
   */
  readonly onEvent: (event: Event) => void | Promise<void>
  /** Of a body that the adapter reads itself; larger ones are answered 413. Default: 1 MiB. */
  readonly maxBodyBytes?: number
}

/** What to answer a delivery with. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const DEFAULT_MAX_BODY_BYTES = 1_048_576

/**
 * Verifies a delivery and hands its event on. 204 where it was handled, 200 where it had been before, so that it is not
 * sent again; 400 where it is refused, with the code.
 *
 * @param fix - what to do in this framework about a body that is not raw
 * @throws what `onEvent` throws; with what the replay store throws, in an AggregateError, where that fails as well
 */
export async function receive<Event>(
  { verifier, onEvent }: ReceiverOptions<Event>,
  delivery: { readonly body: unknown; readonly headers: HeaderSource; readonly fix: string },
): Promise<Answer> {
  const result = await verifier.verify(delivery.body, delivery.headers)
  if (!result.ok) return refuse(result.code, result.code === 'body_not_raw' ? ` ${delivery.fix}` : '')
  try {
    await onEvent(result.event)
  } catch (error) {
    await release(verifier, result.id, error)
    throw error
  }
  return { status: 204, headers: {}, body: '' }
}

async function release<Event>(
  verifier: Verifier<Event>,
  id: string | undefined,
  cause: unknown,
): Promise<void> {
  try {
    await verifier.release(id)
  } catch (failure) {
    // The store's failure alone would hide why the work failed.
    throw new AggregateError([cause, failure], 'the event was not handled, and its id was not given back', {
      cause: failure,
    })
  }
}

function refuse(code: FailureCode, fix: string): Answer {
  return answerJson(code === 'replayed' ? 200 : 400, { code, message: FAILURE_MESSAGES[code] + fix })
}

export const tooLarge = (): Answer =>
  answerJson(413, { code: 'payload_too_large', message: 'The body is larger than a webhook may be.' })

function answerJson(status: number, error: { code: string; message: string }): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) }
}

/** A body in pieces; of Node's streams, what was done to it before. */
export interface BodyStream extends AsyncIterable<Uint8Array> {
  readonly readableDidRead?: boolean
  readonly readableEncoding?: string | null
}

/** Reads a body up to a limit: null beyond it, nothing where it is not raw any more. */
export async function readBody(
  chunks: BodyStream,
  maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
): Promise<Uint8Array | null | undefined> {
  // What is left of a body, or comes decoded after setEncoding(), would look like one with a wrong signature.
  if (chunks.readableDidRead === true || typeof chunks.readableEncoding === 'string') return undefined
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > maxBodyBytes) return null
    parts.push(chunk)
  }
  const body = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    body.set(part, offset)
    offset += part.length
  }
  return body
}
