import type { WebhookEvent } from '../events.ts'
import type { ReceiverOptions } from './receive.ts'
import { webReceiver } from './web.ts'
import type { WebRequest } from './web.ts'

const FIX =
  'In Hono: do not read the body in a middleware or validator before this handler (c.req.json(), c.req.text(), ' +
  'zValidator), or read it from c.req.raw.clone().'

/**
 * Creates a Hono handler.
 *
 * @example
 * ```ts
 * app.post('/webhooks', honoReceiver({ verifier, onEvent: (event) => console.log(event.type) }))
 * ```
 */
export function honoReceiver<Event = WebhookEvent>(
  options: ReceiverOptions<Event>,
): (context: { readonly req: { readonly raw: WebRequest } }) => Promise<Response> {
  const handle = webReceiver(options, FIX)
  return (context) => handle(context.req.raw)
}
