import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { readChunks } from '@vaani/service-kit/blobs/read-chunks'
import { createSealedBlobs } from '@vaani/service-kit/blobs/sealed-blobs'

/** Stores the recordings that voices are made of as encrypted blobs, each bound to its key in the store. */
export interface VoiceRecordings {
  keep(
    voiceId: string,
    recordings: readonly { file: string; bytes: number }[],
    dataKey: Buffer,
  ): Promise<void>
  /** Idempotent. */
  remove(voiceId: string, recordings: number): Promise<void>
}

const placeOf = (voiceId: string, index: number): string => `voices/${voiceId}/${index}`

export function createVoiceRecordings(blobs: BlobStore): VoiceRecordings {
  const sealedBlobs = createSealedBlobs(blobs)
  return {
    async keep(voiceId, recordings, key) {
      for (const [index, { file, bytes }] of recordings.entries())
        await sealedBlobs.put(readChunks(file), { key, place: placeOf(voiceId, index) }, { maxBytes: bytes })
    },
    async remove(voiceId, recordings) {
      for (let index = 0; index < recordings; index++) await blobs.delete(placeOf(voiceId, index))
    },
  }
}
