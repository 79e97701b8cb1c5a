import type { WebhookEvent } from '../events.ts'
import type { HeaderSource } from '../headers.ts'
import { DEFAULT_MAX_BODY_BYTES, readBody, receive, tooLarge } from './receive.ts'
import type { BodyStream, ReceiverOptions } from './receive.ts'

interface FastifyRequestPart {
  readonly headers: HeaderSource
  readonly body: unknown
}
interface FastifyReplyPart {
  code(status: number): FastifyReplyPart
  headers(headers: Record<string, string>): FastifyReplyPart
  send(body?: string): unknown
}

/** The part of a Fastify instance that this adapter uses. */
export interface FastifyPart {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    contentType: string,
    options: { bodyLimit: number },
    parser: (request: unknown, payload: BodyStream) => Promise<unknown>,
  ): unknown
  post(
    url: string,
    handler: (request: FastifyRequestPart, reply: FastifyReplyPart) => Promise<unknown>,
  ): unknown
}

const FIX =
  'In Fastify: register this plugin in its own scope (app.register), add no other parser there, and let no hook read the request first.'

/**
 * Creates a Fastify plugin with one route, whose bodies are left raw. Errors thrown by `onEvent` go to Fastify's error
 * handler.
 *
 * @example
 * ```ts
 * await app.register(fastifyReceiver({ url: '/webhooks', verifier, onEvent: (event) => console.log(event.type) }))
 * ```
 */
export function fastifyReceiver<Event = WebhookEvent>(
  options: ReceiverOptions<Event> & { readonly url: string },
): (scope: FastifyPart) => Promise<void> {
  return async (scope) => {
    const bodyLimit = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES
    // Only in this scope: the application's other routes keep their parsers.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { bodyLimit }, (_, payload) => readBody(payload, bodyLimit))
    scope.post(options.url, async ({ body, headers }, reply) => {
      const answer = body === null ? tooLarge() : await receive(options, { body, headers, fix: FIX })
      return reply
        .code(answer.status)
        .headers({ ...answer.headers })
        .send(answer.body === '' ? undefined : answer.body)
    })
  }
}
