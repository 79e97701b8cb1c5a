import type { Clock } from '@vaani/service-kit/clock'
import { VaultError } from '@vaani/service-kit/vault/vault'
import { createSigner, type SignatureHeaders, type Signer } from '@vaani/webhook-verifier'
import { ownerOf, type SecretOwner, type SecretStore } from '../secret-store.ts'
import type { Delivery } from './delivery.ts'

export interface Signers {
  /**
   * The headers that prove a delivery, at the time of this attempt.
   *
   * @throws NoSecretError if none was made, VaultError if it cannot be opened
   */
  sign(delivery: Delivery): Promise<SignatureHeaders>
}

/** Accepted before every callback URL needed a secret: it is sent once there is one. */
export class NoSecretError extends Error {
  override readonly name = 'NoSecretError'
  readonly code = 'no_secret'

  constructor() {
    super('There is no secret to sign with')
  }
}

/** Whether signing fails until a person does something. */
export const needsPerson = (error: unknown): boolean =>
  error instanceof VaultError || error instanceof NoSecretError

interface Prepared {
  version: number
  /** When the previous secret no longer signs. */
  staleMs: number
  signer: Signer
}

const MAX_PREPARED = 10_000

/** Keeps the keys of secrets prepared, until they are rotated or an overlap ends. */
export function createSigners(options: { secrets: SecretStore; clock: Clock }): Signers {
  const { secrets, clock } = options
  const preparedByOwner = new Map<string, Prepared>()
  /** Many deliveries at once read a secret once. */
  const readingByOwner = new Map<string, Promise<Prepared>>()

  async function prepare(name: string, owner: SecretOwner): Promise<Prepared> {
    const found = await secrets.read(owner)
    if (found === null) throw new NoSecretError()
    const { secrets: texts, version, previousUntilMs } = found
    const named = Object.fromEntries(texts.map((text, index) => [`secret ${index}`, text]))
    const prepared: Prepared = {
      version,
      staleMs: previousUntilMs ?? Number.POSITIVE_INFINITY,
      signer: createSigner({ secrets: named }),
    }
    if (preparedByOwner.size >= MAX_PREPARED) preparedByOwner.clear()
    preparedByOwner.set(name, prepared)
    return prepared
  }

  function prepareOnce(name: string, owner: SecretOwner): Promise<Prepared> {
    const reading =
      readingByOwner.get(name) ?? prepare(name, owner).finally(() => readingByOwner.delete(name))
    readingByOwner.set(name, reading)
    return reading
  }

  return {
    async sign(delivery) {
      const { account_id: accountId, livemode, endpoint_id, event_id, body, secret_version } = delivery
      const name = endpoint_id ?? `${accountId} ${livemode}`
      const nowMs = clock.nowMs()
      const kept = preparedByOwner.get(name)
      // A version that was read before a rotation is lower than the one prepared after it.
      const fresh = kept && kept.version >= (secret_version ?? 1) && nowMs < kept.staleMs ? kept : undefined
      const owner = ownerOf({ accountId, livemode }, endpoint_id)
      const { signer } = fresh ?? (await prepareOnce(name, owner))
      return signer.sign(body, { id: event_id, timestampSeconds: Math.floor(nowMs / 1000) })
    },
  }
}
