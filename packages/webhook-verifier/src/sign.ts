import type { RawBody } from './crypto/platform.ts'
import type { SignatureHeaders, SignedAttempt, SignerOptions } from './signer.ts'
import { createSigner } from './signer.ts'

export interface SignOptions extends SignerOptions, SignedAttempt {}

/**
 * Signs one delivery, as `createSigner` does, which is faster for more than one, as it prepares its keys once.
 *
 * @throws TypeError for a secret that is empty or damaged or a body that is not raw, RangeError for an id or a time that
 * no verifier would take
 * @example
 * ```ts
 * const headers = await sign(body, { secrets: 'whsec_…', id: 'evt_1', timestampSeconds: 1_770_000_000 })
 * ```
 */
export async function sign(body: RawBody, options: SignOptions): Promise<SignatureHeaders> {
  return createSigner(options).sign(body, options)
}
