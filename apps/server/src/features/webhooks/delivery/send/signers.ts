import type { Clock } from '@vaani/service-kit/clock'
import { VaultError } from '@vaani/service-kit/vault/vault'
import { createSigner, type SignatureHeaders, type Signer } from '@vaani/webhook-verifier'
import { ownerOf, type SecretOwner, type SecretStore } from '../../secret-store.ts'
import type { Delivery } from '../lanes/delivery.ts'

export interface Signers {
  /**
   * Makes the signature headers of a delivery's body, for the time of this attempt.
   *
   * @throws NoSecretError if there is no secret, VaultError if it cannot be opened
   */
  sign(delivery: Delivery, body: string): Promise<SignatureHeaders>
}

/** The delivery dates from before every callback URL needed a secret. It is sent once there is one. */
class NoSecretError extends Error {
  override readonly name = 'NoSecretError'
  readonly code = 'no_secret'

  constructor() {
    super('There is no secret to sign with')
  }
}

/** Whether signing keeps failing until a person intervenes. */
export const needsPerson = (error: unknown): boolean =>
  error instanceof VaultError || error instanceof NoSecretError

interface Prepared {
  version: number
  /** When the previous secret stops signing. */
  staleMs: number
  signer: Signer
}

const MAX_PREPARED = 10_000

/** Caches prepared keys until their secret is rotated or its overlap ends. */
export function createSigners(options: { secrets: SecretStore; clock: Clock }): Signers {
  const { secrets, clock } = options
  const preparedByOwner = new Map<string, Prepared>()
  /** Reads in progress, shared by concurrent deliveries. */
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
    async sign(delivery, body) {
      const { account_id: accountId, livemode, endpoint_id, event_id, secret_version } = delivery
      const name = endpoint_id ?? `${accountId} ${livemode}`
      const nowMs = clock.nowMs()
      const kept = preparedByOwner.get(name)
      // A delivery read before a rotation may state a lower version than the prepared one.
      const fresh = kept && kept.version >= (secret_version ?? 1) && nowMs < kept.staleMs ? kept : undefined
      const owner = ownerOf({ accountId, livemode }, endpoint_id)
      const { signer } = fresh ?? (await prepareOnce(name, owner))
      return signer.sign(body, { id: event_id, timestampSeconds: Math.floor(nowMs / 1000) })
    },
  }
}
