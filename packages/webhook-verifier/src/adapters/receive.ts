import type { WebhookEvent } from '../events.ts'
import type { HeaderSource } from '../headers.ts'
import { FAILURE_MESSAGES } from '../result.ts'
import type { FailureCode } from '../result.ts'
import type { Verifier } from '../verifier.ts'

/** Options of every framework adapter. */
export interface ReceiverOptions<Event = WebhookEvent> {
  readonly verifier: Verifier<Event>
  /**
   * Called once for each genuine delivery. If it throws, the framework responds 500 and the replay store releases the
   * id, so that the next attempt is accepted.
   */
  readonly onEvent: (event: Event) => void | Promise<void>
  /** Limit of a body that the adapter itself reads; a larger body gets a 413. Default: 1 MiB. */
  readonly maxBodyBytes?: number
}

/** The HTTP response to a delivery. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const DEFAULT_MAX_BODY_BYTES = 1_048_576

/**
 * Verifies a delivery and passes its event to `onEvent`. Responds 204 to a handled delivery, 200 to a replayed one so
 * that it is not sent again, and 400 with the code to a refused one.
 *
 * @param delivery.fix - how to keep the body raw in this framework; added to the message of `body_not_raw`
 * @throws the error of `onEvent`, or an AggregateError of it and the replay store's error if releasing the id fails too
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
    // The store's error alone would hide why onEvent failed.
    throw new AggregateError([cause, failure], 'the event was not handled, and its id was not released', {
      cause: failure,
    })
  }
}

function refuse(code: FailureCode, fix: string): Answer {
  return answerJson(code === 'replayed' ? 200 : 400, { code, message: FAILURE_MESSAGES[code] + fix })
}

export const tooLarge = (): Answer =>
  answerJson(413, { code: 'payload_too_large', message: 'The body is too large for a webhook.' })

function answerJson(status: number, error: { code: string; message: string }): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) }
}

/** A body in chunks. Node's streams also report whether it was read or decoded before. */
export interface BodyStream extends AsyncIterable<Uint8Array> {
  readonly readableDidRead?: boolean
  readonly readableEncoding?: string | null
}

/** Reads a body. @returns null if it is longer than the limit, undefined if it is no longer raw */
export async function readBody(
  chunks: BodyStream,
  maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
): Promise<Uint8Array | null | undefined> {
  // A partly read body, or one decoded by setEncoding(), would only look like a wrong signature.
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
