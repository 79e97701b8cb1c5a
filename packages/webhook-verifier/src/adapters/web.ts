import type { WebhookEvent } from '../events.ts'
import { readBody, receive, tooLarge } from './receive.ts'
import type { ReceiverOptions } from './receive.ts'

/** The part of a Web `Request` that is read. */
export interface WebRequest {
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  readonly bodyUsed: boolean
}

/**
 * A handler of Web requests: for Deno, Bun, Workers, and whatever else takes a `Request` and gives a `Response`.
 *
 * @example
 * ```ts
 * export default { fetch: webReceiver({ verifier, onEvent: (event) => console.log(event.type) }) }
 * ```
 */
export function webReceiver<Event = WebhookEvent>(
  options: ReceiverOptions<Event>,
  fix = 'Let this handler be the first to read the request: whatever needs its body as well can take a clone().',
): (request: WebRequest) => Promise<Response> {
  return async (request) => {
    // A body that somebody has read is gone: what they made of it is not at hand here.
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
