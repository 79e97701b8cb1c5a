import type { Seal } from '../vault/sealed-bytes.ts'
import { openStream, sealedLength, sealStream } from '../vault/sealed-stream.ts'
import type { BlobStore, OpenBlob } from './blob-store.ts'
import { toStream } from './to-stream.ts'
import { resume } from '../resume.ts'

/** Stores encrypted blobs, each bound to its place. The store alone does not suffice to read them. */
export interface SealedBlobs {
  /** @param options `maxBytes` is the limit of the plaintext; a larger source is not stored */
  put(source: AsyncIterable<Uint8Array>, seal: Seal, options: { maxBytes: number }): Promise<void>
  /**
   * Opens a blob. The first chunk is authenticated when this resolves, later chunks as they arrive. Read the stream to its end
   * or destroy it.
   *
   * @throws BlobError `not_found`; VaultError `damaged`
   */
  open(seal: Seal): Promise<OpenBlob>
  /** Idempotent. */
  delete(place: string): Promise<void>
}

export function createSealedBlobs(blobs: BlobStore): SealedBlobs {
  return {
    async put(source, seal, { maxBytes }) {
      await blobs.put(seal.place, sealStream(source, seal), { maxBytes: sealedLength(maxBytes) })
    },
    async open(seal) {
      const { stream: sealed, bytes } = await blobs.open(seal.place)
      try {
        const { chunks, lengthOf } = await openStream(sealed, seal)
        const first = await chunks.next()
        return { stream: toStream(resume(first, chunks), sealed), bytes: lengthOf(bytes) }
      } catch (error) {
        sealed.destroy()
        throw error
      }
    },
    delete: (place) => blobs.delete(place),
  }
}
