import { encode } from '#crypto'
import type { RawBody } from './crypto/platform.ts'
import {
  ID_PATTERN,
  SERVICE_SIGNATURE,
  STANDARD_ID,
  STANDARD_SIGNATURE,
  STANDARD_TIMESTAMP,
  TIMESTAMP_PATTERN,
} from './headers.ts'
import { isRawBody } from './raw-body.ts'
import type { Secrets } from './secrets.ts'
import { prepareSecrets } from './secrets.ts'

export interface SignerOptions {
  /** The first secret signs `X-Service-Signature`, which holds one signature; `webhook-signature` has one for each. */
  readonly secrets: Secrets
}

export interface SignedAttempt {
  /** `webhook-id`: the same in each attempt to deliver an event. */
  readonly id: string
  /** `webhook-timestamp`: time of this attempt, in whole seconds since the epoch. */
  readonly timestampSeconds: number
}

export type SignatureHeaders = Readonly<
  Record<'x-service-signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
>

export interface Signer {
  /**
   * Returns the signature headers of a body: directly in Node, as a promise where only WebCrypto is available. `await`
   * works with both.
   *
   * @throws TypeError for a body that is not raw, RangeError for an id or a time that no verifier would accept
   */
  sign(body: RawBody, attempt: SignedAttempt): SignatureHeaders | Promise<SignatureHeaders>
}

/**
 * Creates a signer for many deliveries, which prepares its keys once. It writes lower-case hex to `X-Service-Signature`,
 * and the headers of Standard Webhooks.
 *
 * @throws TypeError for an empty or damaged secret
 * @example
 * ```ts
 * const signer = createSigner({ secrets: { current: 'whsec_…', previous: 'whsec_…' } })
 * const headers = await signer.sign(body, { id: 'evt_1', timestampSeconds: 1_770_000_000 })
 * ```
 */
export function createSigner(options: SignerOptions): Signer {
  const secrets = prepareSecrets(options.secrets)
  return {
    sign(body, { id, timestampSeconds }) {
      if (!isRawBody(body)) throw new TypeError('the body is not raw')
      if (!ID_PATTERN.test(id))
        throw new RangeError('id must be 1 to 256 characters of A-Z, a-z, 0-9, _+/:=@~-')
      const timestamp = String(timestampSeconds)
      if (!TIMESTAMP_PATTERN.test(timestamp)) throw new RangeError('timestampSeconds must be a whole number')
      const prefix = `${id}.${timestamp}.`
      const macs = [secrets[0].service('', body), ...secrets.map(({ standard }) => standard(prefix, body))]
      const write = ([service = '', ...standard]: readonly string[]): SignatureHeaders => ({
        [SERVICE_SIGNATURE]: encode(service, 'hex'),
        [STANDARD_ID]: id,
        [STANDARD_TIMESTAMP]: timestamp,
        [STANDARD_SIGNATURE]: standard.map((mac) => `v1,${encode(mac, 'base64')}`).join(' '),
      })
      return macs.every((mac) => typeof mac === 'string') ? write(macs) : Promise.all(macs).then(write)
    },
  }
}
