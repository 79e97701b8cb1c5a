import type { IdempotencyStore } from '@vaani/service-kit/http/idempotency/idempotency'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { VoiceRecordings } from './recording-store.ts'
import type { VoiceStore } from './store.ts'

/** Erases voices with the recordings that they were made of. */
export interface VoiceErasure {
  /** @returns false if the tenant has no such voice */
  erase(tenant: Tenant, voiceId: string): Promise<boolean>
  /** Erases what a failed request has stored. */
  giveUp(voiceId: string, recordings: number): Promise<void>
  /** Removes what crashes have left. */
  sweep(): Promise<void>
}

const BATCH = 50

export function createVoiceErasure({
  store,
  recordings,
  idempotency,
}: {
  store: VoiceStore
  recordings: VoiceRecordings
  idempotency: IdempotencyStore
}): VoiceErasure {
  /** The row names the recordings until they are gone, so that a sweep retries if the store is down. */
  async function removeErased(voiceId: string, count: number): Promise<void> {
    await recordings.remove(voiceId, count)
    await store.forget(voiceId)
  }
  return {
    async erase(tenant, voiceId) {
      const erased = await store.erase(tenant, voiceId, (tx) =>
        idempotency.rewriteAnswers(tx, [voiceId], withoutName),
      )
      if (erased === undefined) return false
      await removeErased(voiceId, erased.recordings)
      return true
    },
    async giveUp(voiceId, count) {
      await store.giveUp([voiceId])
      await removeErased(voiceId, count)
    },
    async sweep() {
      for (let found = BATCH; found === BATCH;) {
        const rows = await store.listErased(BATCH)
        for (const { voice_id, recordings: count } of rows) await removeErased(voice_id, count)
        found = rows.length
      }
    },
  }
}

/** Stored answers name the voice. */
const withoutName = (body: string): string =>
  JSON.stringify({ ...JSON.parse(body), name: '', language: null })
