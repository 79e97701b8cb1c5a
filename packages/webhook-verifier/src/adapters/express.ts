import type { WebhookEvent } from '../events.ts'
import { readAndReceive, write } from './node.ts'
import type { NodeRequest, NodeResponse } from './node.ts'
import { receive } from './receive.ts'
import type { ReceiverOptions } from './receive.ts'

const FIX =
  'In Express: mount this handler before express.json() and any other reader of the request, or use express.raw({ type: "*/*" }) on its route.'

/**
 * Creates an Express handler. Mount it before any parser, or after `express.raw`. Errors thrown by `onEvent` go to
 * Express's error handler.
 *
 * @example
 * ```ts
 * app.post('/webhooks', expressReceiver({ verifier, onEvent: (event) => console.log(event.type) }))
 * app.use(express.json())
 * ```
 */
export function expressReceiver<Event = WebhookEvent>(
  options: ReceiverOptions<Event>,
): (
  request: NodeRequest & { readonly body?: unknown },
  response: NodeResponse,
  next: (error?: unknown) => void,
) => Promise<void> {
  return async (request, response, next) => {
    const { body, headers } = request
    try {
      // Before any parser has run, the body is undefined in Express 5 and an empty object in Express 4.
      const isUnread = body === undefined || isEmptyObject(body)
      write(
        response,
        isUnread
          ? await readAndReceive(options, request, FIX)
          : await receive(options, { body, headers, fix: FIX }),
      )
    } catch (error) {
      next(error)
    }
  }
}

const isEmptyObject = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !ArrayBuffer.isView(body) && Object.keys(body).length === 0
