import { randomInt } from 'node:crypto'
import { LIMITS } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { MarkedSpeech, WatermarkPort } from './port.ts'
import type { WatermarkStore } from './store.ts'

const PAYLOADS = 2 ** 32
/** Even if a tenth of all payloads is assigned, one in 10^10 requests needs more. */
const MAX_ATTEMPTS = 10
const HOUR_MS = 3_600_000

export function createIssuer(options: {
  store: WatermarkStore
  vault: Vault
  clock: Clock
  key: Uint8Array
}): WatermarkPort['issue'] {
  const { store, vault, clock, key } = options

  /** A request that is repeated with its idempotency key gets the same audio, and so the same payload. */
  function payloadOf({ tenant, idempotencyKey }: MarkedSpeech, attempt: number): number {
    if (idempotencyKey === undefined) return randomInt(PAYLOADS)
    const { accountId, livemode } = tenant
    const content = JSON.stringify([accountId, livemode, idempotencyKey, attempt])
    return vault.startFingerprint('watermark').update(content).digest().readUInt32BE()
  }

  return async (speech) => {
    const { tenant, requestId, idempotencyKey } = speech
    const repeatedSince =
      idempotencyKey === undefined ? null : new Date(clock.nowMs() - LIMITS.idempotencyHours * HOUR_MS)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const payload = payloadOf(speech, attempt)
      if (await store.assign({ payload, tenant, requestId, repeatedSince })) return { key, payload }
    }
    throw new Error('Too many watermark payloads are assigned')
  }
}
