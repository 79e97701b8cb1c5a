import type { WebhookEvent } from './events.ts'
import type { HeaderSource } from './headers.ts'
import type { VerifiedEvent, VerifyResult } from './result.ts'
import type { Secrets } from './secrets.ts'
import { createVerifier } from './verifier.ts'

/**
 * Verifies one delivery with the defaults of `createVerifier`. For several, `createVerifier` is faster, because it
 * prepares its keys once.
 *
 * @param body - raw, as received: text or bytes that no parser has touched
 * @throws TypeError for an empty or damaged secret
 * @example
 * ```ts
 * const result = await verify(await request.text(), request.headers, process.env.WEBHOOK_SECRET ?? '')
 * ```
 */
export async function verify<Event = WebhookEvent>(
  body: unknown,
  headers: HeaderSource,
  secrets: Secrets,
): Promise<VerifyResult<Event>> {
  return createVerifier<Event>({ secrets }).verify(body, headers)
}

/** Like `verify`. @throws InvalidSignatureError instead of returning `ok: false` */
export async function verifyOrThrow<Event = WebhookEvent>(
  body: unknown,
  headers: HeaderSource,
  secrets: Secrets,
): Promise<VerifiedEvent<Event>> {
  return createVerifier<Event>({ secrets }).verifyOrThrow(body, headers)
}
