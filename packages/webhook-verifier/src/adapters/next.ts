import type { WebhookEvent } from '../events.ts'
import type { ReceiverOptions } from './receive.ts'
import { webReceiver } from './web.ts'
import type { WebRequest } from './web.ts'

const FIX =
  'In Next: export this handler itself as POST, or pass it the request before request.json() or request.text(); other ' +
  'code that needs the body can read request.clone().'

/**
 * Creates a route handler for Next's app router, in `app/…/route.ts`.
 *
 * @example
 * ```ts
 * export const POST = nextReceiver({ verifier, onEvent: (event) => console.log(event.type) })
 * ```
 */
export function nextReceiver<Event = WebhookEvent>(
  options: ReceiverOptions<Event>,
): (request: WebRequest) => Promise<Response> {
  return webReceiver(options, FIX)
}
