import { readEventId } from './event-id.ts'
import type { Secrets } from './secrets.ts'
import { sign } from './sign.ts'
import type { SignatureHeaders } from './signer.ts'

export interface TestDeliveryOptions {
  readonly secrets: Secrets
  /** Default: `event_id` of the event, else `evt_test`. */
  readonly id?: string
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number
}

export interface TestDelivery {
  readonly body: string
  readonly headers: SignatureHeaders & { readonly 'content-type': 'application/json' }
}

/**
 * Creates a delivery as the service sends it, for testing a receiver.
 *
 * @throws TypeError for an empty or damaged secret, RangeError for an id or a time that no verifier would accept
 * @example
 * ```ts
 * const { body, headers } = await createTestDelivery({ type: 'call.completed' }, { secrets: 'whsec_…' })
 * const response = await app.request('/webhooks', { method: 'POST', body, headers })
 * ```
 */
export async function createTestDelivery(event: object, options: TestDeliveryOptions): Promise<TestDelivery> {
  const { secrets, id = readEventId(event) ?? 'evt_test', clock = Date.now } = options
  const body = JSON.stringify(event)
  const timestampSeconds = Math.floor(clock() / 1000)
  const signature = await sign(body, { secrets, id, timestampSeconds })
  return { body, headers: { 'content-type': 'application/json', ...signature } }
}
