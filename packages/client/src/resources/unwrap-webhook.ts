import { type HeaderSource, type RawBody, type Secrets, verifyOrThrow } from '@vaani/webhook-verifier'
import type { WebhookEvent } from './wait.ts'

/**
 * Verifies a webhook delivery and returns its event. For more than a few deliveries per second, use `createVerifier` from
 * `@vaani/webhook-verifier`, which prepares its keys only once and can refuse replays.
 *
 * @param rawBody the text or bytes as received, before any parsing
 * @param options `secret`: one secret, or several by names of your choice during a rotation; default: the environment variable
 *   `VAANI_WEBHOOK_SECRET`
 * @throws InvalidSignatureError if the delivery is not genuine, or its timestamp is not within five minutes of now; `code` is the reason
 * @throws TypeError if the secret is missing or malformed
 * @example
 * const event = await unwrapWebhook(await request.text(), request.headers)
 * if (event.type === 'call.completed') console.log(event.data.duration_seconds)
 */
export async function unwrapWebhook(
  rawBody: RawBody,
  headers: HeaderSource,
  {
    secret = globalThis.process?.env?.['VAANI_WEBHOOK_SECRET'],
  }: { readonly secret?: Secrets | undefined } = {},
): Promise<WebhookEvent> {
  if (!secret) throw new TypeError('secret is missing: set it or VAANI_WEBHOOK_SECRET')
  const { event } = await verifyOrThrow<WebhookEvent>(rawBody, headers, secret)
  return event
}
