import type { Seal } from '../vault/sealed-bytes.ts'
import { openStream, sealedLength, sealStream } from '../vault/sealed-stream.ts'
import type { BlobStore, OpenBlob } from './blob-store.ts'
import { toStream } from './to-stream.ts'
import { resume } from '../resume.ts'

/** A blob that is sealed while its content arrives. Disposing of it before it is kept leaves nothing in the store. */
export interface SealedUpload extends AsyncDisposable {
  /**
   * Waits until the store asks for more. The memory of a chunk may be used again once the write after it is over, if each chunk
   * has at least a segment.
   *
   * @throws like `put`
   */
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
      let given = Promise.withResolvers<Uint8Array | null>()
      let asked = Promise.withResolvers<void>()
      async function* content() {
        for (;;) {
          const chunk = await given.promise
          if (chunk === null) return
          given = Promise.withResolvers()
          yield chunk
          // The next chunk is asked for: this one was sealed, but for its last segment.
          asked.resolve()
        }
      }
      const stored = put(content(), seal, options)
      // Reported by `write` and `keep`; until then, nobody may be waiting.
      stored.catch(() => undefined)
      return {
        async write(chunk) {
          asked = Promise.withResolvers()
          given.resolve(chunk)
          await Promise.race([asked.promise, stored])
        },
        async keep() {
          given.resolve(null)
          await stored
        },
        async [Symbol.asyncDispose]() {
          // If the content is not being read, nobody sees that it was given up.
          given.promise.catch(() => undefined)
          given.reject(new Error('The upload was given up'))
          // It ends with the error above, after the store has removed what was written, unless `keep` or `write` had one before.
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
