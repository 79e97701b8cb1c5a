import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Seal } from '../vault/sealed-bytes.ts'
import { openStream, sealedLength, sealStream } from '../vault/sealed-stream.ts'
import type { BlobStore, OpenBlob } from './blob-store.ts'
import { toStream } from './to-stream.ts'
import { resume } from '../resume.ts'

/** A blob that is sealed while its content arrives. Disposing of it before it is kept leaves nothing in the store. */
export interface SealedUpload extends AsyncDisposable {
  /** Waits while the store is slower than the sender. Takes the chunk over. @throws like `put` */
  write(chunk: Uint8Array): Promise<void>
  /** Ends the blob, and waits until it is durable. @throws like `put` */
  keep(): Promise<void>
}

/** Stores encrypted blobs, each bound to its place. The store alone does not suffice to read them. */
export interface SealedBlobs {
  /** @param options `maxBytes` is the limit of the plaintext; a larger source is not stored */
  put(source: AsyncIterable<Uint8Array>, seal: Seal, options: { maxBytes: number }): Promise<void>
  /** Begins a blob whose content is still to come. It is readable only once it is kept. */
  begin(seal: Seal, options: { maxBytes: number }): SealedUpload
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

/** Bytes of an upload that wait for the store. */
const WAITING_BYTES = 1_048_576

export function createSealedBlobs(blobs: BlobStore): SealedBlobs {
  async function put(
    source: AsyncIterable<Uint8Array>,
    seal: Seal,
    { maxBytes }: { maxBytes: number },
  ): Promise<void> {
    await blobs.put(seal.place, sealStream(source, seal), { maxBytes: sealedLength(maxBytes) })
  }

  return {
    put,
    begin(seal, options) {
      const content = new PassThrough({ highWaterMark: WAITING_BYTES })
      // What ended it is reported by the store.
      content.on('error', () => undefined)
      const stored = put(content, seal, options)
      stored.catch(() => undefined)
      return {
        async write(chunk) {
          if (!content.write(chunk)) await Promise.race([once(content, 'drain'), stored])
        },
        async keep() {
          content.end()
          await stored
        },
        async [Symbol.asyncDispose]() {
          if (!content.writableEnded) content.destroy(new Error('The upload was given up'))
          await stored.catch(() => undefined)
        },
      }
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
