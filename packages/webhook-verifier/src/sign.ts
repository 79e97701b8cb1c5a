import type { RawBody } from './crypto/platform.ts'
import type { SignatureHeaders, SignedAttempt, SignerOptions } from './signer.ts'
import { createSigner } from './signer.ts'

export interface SignOptions extends SignerOptions, SignedAttempt {}

/**
 * Signs one delivery. For several, `createSigner` is faster, because it prepares its keys once.
 *
 * @throws TypeError for an empty or damaged secret or a body that is not raw, RangeError for an id or a time that no
 * verifier would accept
 * @example
 * ```ts
 * const headers = await sign(body, { secrets: 'whsec_…', id: 'evt_1', timestampSeconds: 1_770_000_000 })
 * ```
 */
export async function sign(body: RawBody, options: SignOptions): Promise<SignatureHeaders> {
  return createSigner(options).sign(body, options)
}
