import type { WebhookEvent } from '../events.ts'
import { readBody, receive, tooLarge } from './receive.ts'
import type { ReceiverOptions } from './receive.ts'

/** The part of a Web `Request` that this adapter reads. */
export interface WebRequest {
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  readonly bodyUsed: boolean
}

/**
 * Creates a handler from `Request` to `Response`, for Deno, Bun, Workers and other runtimes with Web requests.
 *
 * @example
 * ```ts
 * export default { fetch: webReceiver({ verifier, onEvent: (event) => console.log(event.type) }) }
 * ```
 */
export function webReceiver<Event = WebhookEvent>(
  options: ReceiverOptions<Event>,
  fix = 'Let this handler be the first to read the request; other code that needs the body can read a clone().',
): (request: WebRequest) => Promise<Response> {
  return async (request) => {
    // A body can be read only once, so one that other code has read is lost.
    const wasRead = request.bodyUsed || request.body?.locked === true
    const body = wasRead ? null : await readBody(chunksOf(request.body), options.maxBodyBytes)
    const answer =
      body === null && !wasRead
        ? tooLarge()
        : await receive(options, {
            body,
            headers: request.headers,
            fix,
          })
    return new Response(answer.body === '' ? null : answer.body, {
      status: answer.status,
      headers: answer.headers,
    })
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (reader === undefined) return
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel()
  }
}
