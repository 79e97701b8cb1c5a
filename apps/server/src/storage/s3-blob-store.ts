import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { S3Config } from '../config.ts'
import { BlobError, type BlobStore, requireKey } from './blob-store.ts'
import { meter } from './metered.ts'

const PART_BYTES = 8 * 1024 * 1024
const PARTS_AT_ONCE = 2

/**
 * Blobs in S3 or a store that speaks its protocol. A crash in the middle leaves parts that nobody sees: let a lifecycle
 * rule of the bucket abort incomplete uploads. The SDK is loaded when it is first needed, as it is slow to load.
 */
export function createS3BlobStore(config: S3Config): BlobStore {
  const { endpoint, region, bucket, credentials } = config
  let loaded: ReturnType<typeof load> | undefined

  async function load() {
    const { DeleteObjectCommand, GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3')
    const { Upload } = await import('@aws-sdk/lib-storage')
    const client = new S3Client({
      region,
      credentials,
      ...(endpoint !== undefined && {
        endpoint,
        forcePathStyle: true,
        // Stores other than AWS take the default checksum trailers for content.
        requestChecksumCalculation: 'WHEN_REQUIRED' as const,
        responseChecksumValidation: 'WHEN_REQUIRED' as const,
      }),
    })
    return { client, DeleteObjectCommand, GetObjectCommand, Upload }
  }
  const sdk = () => (loaded ??= load())

  const store: BlobStore = {
    async put(key, source, { maxBytes, contentType, signal }) {
      const Key = requireKey(key)
      const { client, Upload } = await sdk()
      const metered = meter(source, maxBytes, signal)
      const body = Readable.from(metered.chunks, { objectMode: false })
      const upload = new Upload({
        client,
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
        params: { Bucket: bucket, Key, Body: body, ContentType: contentType },
      })
      // The source ends by itself; this is for a store that does not answer.
      const abort = () => void upload.abort()
      signal?.addEventListener('abort', abort, { once: true })
      try {
        await upload.done()
      } catch (error) {
        // Why the source failed says more than that the parts could not be cleared up after it.
        throw body.errored ?? error
      } finally {
        signal?.removeEventListener('abort', abort)
        // Where the store refused, the source is still open.
        body.destroy()
      }
      return metered.result()
    },
    importFile: async (key, file) =>
      store.put(requireKey(key), createReadStream(file), { maxBytes: Number.MAX_SAFE_INTEGER }),
    async open(key) {
      const { client, GetObjectCommand } = await sdk()
      try {
        const { Body, ContentLength } = await client.send(
          new GetObjectCommand({ Bucket: bucket, Key: requireKey(key) }),
        )
        if (!(Body instanceof Readable)) throw new TypeError('The S3 client gave no stream')
        return { stream: Body, bytes: ContentLength ?? 0 }
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey')
          throw new BlobError('not_found', 'There is no such blob')
        throw error
      }
    },
    async delete(key) {
      const { client, DeleteObjectCommand } = await sdk()
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: requireKey(key) }))
    },
    async close() {
      const open = await loaded
      open?.client.destroy()
    },
  }
  return store
}
