import { createSigner, type SignatureHeaders, type Signer } from '@vaani/webhook-verifier'
import type { Clock } from '../clock.ts'
import type { DueDelivery } from './lane-store.ts'
import type { SecretStore } from './secret-store.ts'

export interface Signers {
  /** The headers that prove a delivery, at the time of this attempt. */
  sign(delivery: DueDelivery): Promise<SignatureHeaders>
}

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
  /** So that many deliveries at once read a secret once. */
  const readingByOwner = new Map<string, Promise<Prepared>>()

  async function prepare(ownerId: string, accountId: string): Promise<Prepared> {
    const { secrets: texts, version, previousUntilMs } = await secrets.read({ ownerId, accountId })
    const named = Object.fromEntries(texts.map((text, index) => [`secret ${index}`, text]))
    const prepared: Prepared = {
      version,
      staleMs: previousUntilMs ?? Number.POSITIVE_INFINITY,
      signer: createSigner({ secrets: named }),
    }
    if (preparedByOwner.size >= MAX_PREPARED) preparedByOwner.clear()
    preparedByOwner.set(ownerId, prepared)
    return prepared
  }

  function prepareOnce(ownerId: string, accountId: string): Promise<Prepared> {
    const reading =
      readingByOwner.get(ownerId) ?? prepare(ownerId, accountId).finally(() => readingByOwner.delete(ownerId))
    readingByOwner.set(ownerId, reading)
    return reading
  }

  return {
    async sign(delivery) {
      const { endpoint_id, account_id, event_id, body, secret_version } = delivery
      const ownerId = endpoint_id ?? account_id
      const nowMs = clock.nowMs()
      const kept = preparedByOwner.get(ownerId)
      // A version that was read before a rotation is lower than the one prepared after it.
      const fresh = kept && kept.version >= (secret_version ?? 1) && nowMs < kept.staleMs ? kept : undefined
      const { signer } = fresh ?? (await prepareOnce(ownerId, account_id))
      return signer.sign(body, { id: event_id, timestampSeconds: Math.floor(nowMs / 1000) })
    },
  }
}
