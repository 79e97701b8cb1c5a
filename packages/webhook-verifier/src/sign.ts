import { encode } from '#crypto'
import type { RawBody } from './crypto/platform.ts'
import { SERVICE_SIGNATURE, STANDARD_ID, STANDARD_SIGNATURE, STANDARD_TIMESTAMP } from './headers.ts'
import type { Secrets } from './secrets.ts'
import { prepareSecrets } from './secrets.ts'

export interface SignOptions {
  /** The first signs `X-Service-Signature`, which holds one signature; `webhook-signature` has one of each. */
  readonly secrets: Secrets
  /** `webhook-id`: the same at each attempt to deliver an event. */
  readonly id: string
  /** `webhook-timestamp`: when this attempt is made, in whole seconds since the epoch. */
  readonly timestampSeconds: number
}

export type SignatureHeaders = Readonly<
  Record<'x-service-signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
>

/**
 * The headers that prove a body: lower-case hex in `X-Service-Signature`, and those of Standard Webhooks.
 *
 * @throws TypeError for a secret that is empty or damaged, RangeError for a time that is no whole number
 * @example
 * ```ts
 * const headers = await sign(body, { secrets: 'whsec_…', id: 'evt_1', timestampSeconds: 1_770_000_000 })
 * ```
 */
export async function sign(body: RawBody, options: SignOptions): Promise<SignatureHeaders> {
  const { id, timestampSeconds } = options
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0)
    throw new RangeError('timestampSeconds must be a whole number, 0 or more')
  const secrets = prepareSecrets(options.secrets)
  const service = await secrets[0].service('', body)
  const standard = await Promise.all(
    secrets.map(async (secret) => secret.standard(`${id}.${timestampSeconds}.`, body)),
  )
  return {
    [SERVICE_SIGNATURE]: encode(service, 'hex'),
    [STANDARD_ID]: id,
    [STANDARD_TIMESTAMP]: String(timestampSeconds),
    [STANDARD_SIGNATURE]: standard.map((mac) => `v1,${encode(mac, 'base64')}`).join(' '),
  }
}
