import { type HeaderSource, type RawBody, type Secrets, verifyOrThrow } from '@vaani/webhook-verifier'
import type { WebhookEvent } from './wait.ts'

/**
 * Verifies a webhook and gives its event. For more than a few a second, `createVerifier` of `@vaani/webhook-verifier` prepares its
 * keys once, and can refuse replays.
 *
 * @param rawBody as it came: text or bytes that no parser has touched
 * @param options `secret`: one, or several by names of your own while it is rotated; default: `VAANI_WEBHOOK_SECRET` of the environment
 * @throws InvalidSignatureError if it is not genuine, or its timestamp is not within five minutes of now; its `code` says why
 * @throws TypeError if there is no secret, or it is damaged
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
