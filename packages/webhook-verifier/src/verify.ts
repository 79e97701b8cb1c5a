import type { WebhookEvent } from './events.ts'
import type { HeaderSource } from './headers.ts'
import type { VerifiedEvent, VerifyResult } from './result.ts'
import type { Secrets } from './secrets.ts'
import { createVerifier } from './verifier.ts'

/**
 * Verifies one delivery with the defaults of `createVerifier`, which is faster for more than one, as it prepares its
 * keys once.
 *
 * @param body - raw, as it came over the wire: text or bytes that no parser has touched
 * @throws TypeError for a secret that is empty or damaged
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

/** As `verify`. @throws InvalidSignatureError instead of answering `ok: false` */
export async function verifyOrThrow<Event = WebhookEvent>(
  body: unknown,
  headers: HeaderSource,
  secrets: Secrets,
): Promise<VerifiedEvent<Event>> {
  return createVerifier<Event>({ secrets }).verifyOrThrow(body, headers)
}
