import type { WebhookEvent } from '../events.ts'
import type { ReceiverOptions } from './receive.ts'
import { webReceiver } from './web.ts'
import type { WebRequest } from './web.ts'

/**
 * A handler of Hono.
 *
 * @example
 * ```ts
 * app.post('/webhooks', honoReceiver({ verifier, onEvent: (event) => console.log(event.type) }))
 * ```
 */
export function honoReceiver<Event = WebhookEvent>(
  options: ReceiverOptions<Event>,
): (context: { readonly req: { readonly raw: WebRequest } }) => Promise<Response> {
  const handle = webReceiver(options)
  return (context) => handle(context.req.raw)
}
