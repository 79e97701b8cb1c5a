import { Readable } from 'node:stream'
import { BlobError, type BlobStore, requireKey } from './blob-store.ts'
import { meter } from './metered.ts'
import { toStream } from './to-stream.ts'

export interface S3Config {
  endpoint: string | undefined
  region: string
  bucket: string
  credentials: { accessKeyId: string; secretAccessKey: string }
}

const PART_BYTES = 8 * 1024 * 1024
const PARTS_AT_ONCE = 2
const CONNECT_TIMEOUT_MS = 3000
/** How long the store may let us wait without a byte. */
const SILENCE_TIMEOUT_MS = 8000
const ATTEMPTS = 2
const TOO_MANY_REQUESTS = 429

/**
 * Blobs in S3 or a store that speaks its protocol. A crash in the middle leaves parts that nobody sees: let a lifecycle
 * rule of the bucket abort incomplete uploads. The SDK is loaded when it is first needed, as it is slow to load.
 */
export function createS3BlobStore(
  config: S3Config,
  { silenceTimeoutMs = SILENCE_TIMEOUT_MS }: { silenceTimeoutMs?: number } = {},
): BlobStore {
  const { endpoint, region, bucket, credentials } = config
  let loaded: ReturnType<typeof load> | undefined

  async function load() {
    const { DeleteObjectCommand, GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3')
    const { Upload } = await import('@aws-sdk/lib-storage')
    const connect = (timeouts: object) =>
      new S3Client({
        region,
        credentials,
        maxAttempts: ATTEMPTS,
        requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, ...timeouts },
        ...(endpoint !== undefined && {
          endpoint,
          forcePathStyle: true,
          // Stores other than AWS take the default checksum trailers for content.
          requestChecksumCalculation: 'WHEN_REQUIRED' as const,
          responseChecksumValidation: 'WHEN_REQUIRED' as const,
        }),
      })
    return {
      writer: connect({ socketTimeout: silenceTimeoutMs }),
      // Its sockets may rest for as long as somebody reads slowly, so only the wait for the answer is limited.
      reader: connect({ requestTimeout: silenceTimeoutMs, throwOnRequestTimeout: true }),
      DeleteObjectCommand,
      GetObjectCommand,
      Upload,
    }
  }
  const sdk = () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    }))

  return {
    async put(key, source, { maxBytes, contentType, signal }) {
      const Key = requireKey(key)
      const { writer, Upload } = await sdk()
      const metered = meter(source, maxBytes, signal)
      let failure: { error: unknown } | undefined
      async function* watch() {
        try {
          yield* metered.chunks
        } catch (error) {
          failure = { error }
          throw error
        }
      }
      const body = Readable.from(watch(), { objectMode: false })
      const upload = new Upload({
        client: writer,
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
        // Says more than that the parts could not be cleared up after it.
        if (failure) throw failure.error
        explain(error)
      } finally {
        signal?.removeEventListener('abort', abort)
        // If the store refused, the source is still open.
        body.destroy()
      }
      return metered.result()
    },
    async open(key) {
      const { reader, GetObjectCommand } = await sdk()
      try {
        const { Body, ContentLength } = await reader.send(
          new GetObjectCommand({ Bucket: bucket, Key: requireKey(key) }),
        )
        if (!(Body instanceof Readable)) throw new TypeError('The S3 client gave no stream')
        return { stream: toStream(requireProgress(Body, silenceTimeoutMs), Body), bytes: ContentLength ?? 0 }
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey')
          throw new BlobError('not_found', 'There is no such blob')
        explain(error)
      }
    },
    async delete(key) {
      const { writer, DeleteObjectCommand } = await sdk()
      await writer.send(new DeleteObjectCommand({ Bucket: bucket, Key: requireKey(key) })).catch(explain)
    },
    // What an upload leaves unfinished is the bucket's.
    sweep: () => Promise.resolve(),
    async close() {
      const open = await loaded
      open?.reader.destroy()
      open?.writer.destroy()
    },
  }
}

/** @throws BlobError `unavailable` if the store is at fault and may serve later; else the error as it is */
function explain(error: unknown): never {
  const status =
    error instanceof Error && '$metadata' in error
      ? (error.$metadata as { httpStatusCode?: number }).httpStatusCode
      : undefined
  const isRefused = status !== undefined && status < 500 && status !== TOO_MANY_REQUESTS
  const isOurs = error instanceof BlobError || (error instanceof Error && error.name === 'AbortError')
  if (isOurs || isRefused) throw error
  throw new BlobError('unavailable', 'The store of blobs does not answer, or has no room', error)
}

/** Gives chunks as they are asked for, and fails if the next one does not come. */
async function* requireProgress(stream: Readable, timeoutMs: number): AsyncGenerator<Buffer> {
  const chunks = stream.iterator() as AsyncIterator<Buffer>
  for (;;) {
    const late = setTimeout(
      () => stream.destroy(new BlobError('unavailable', 'A blob stopped in the middle')),
      timeoutMs,
    )
    const next = await chunks.next().finally(() => clearTimeout(late))
    if (next.done) return
    yield next.value
  }
}
