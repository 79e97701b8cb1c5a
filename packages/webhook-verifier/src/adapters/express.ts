import type { WebhookEvent } from '../events.ts'
import { readAndReceive, write } from './node.ts'
import type { NodeRequest, NodeResponse } from './node.ts'
import { receive } from './receive.ts'
import type { ReceiverOptions } from './receive.ts'

const FIX =
  'In Express: mount this handler before express.json() and whatever else reads the request, or give its route express.raw({ type: "*/*" }).'

/**
 * A handler of Express, before any parser or after `express.raw`. What `onEvent` throws goes to Express's own handler of
 * errors.
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
      // Undefined before any parser (Express 5), an empty object in Express 4.
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
