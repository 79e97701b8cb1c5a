import { Readable } from 'node:stream'
import { BlobError, type BlobStore, requireKey } from './blob-store.ts'
import { limitBytes } from './limit-bytes.ts'
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
/** How long the store may send no byte. */
const SILENCE_TIMEOUT_MS = 8000
const ATTEMPTS = 2
const TOO_MANY_REQUESTS = 429

/**
 * Stores blobs in S3 or a compatible store. A crash during an upload leaves invisible parts, so give the bucket a lifecycle
 * rule that aborts incomplete uploads. Loads the SDK on first use, because loading it is slow.
 */
export function createS3BlobStore(
  config: S3Config,
  { silenceTimeoutMs = SILENCE_TIMEOUT_MS }: { silenceTimeoutMs?: number } = {},
): BlobStore {
  const { bucket } = config
  let loaded: ReturnType<typeof loadSdk> | undefined

  const sdk = () =>
    (loaded ??= loadSdk(config, silenceTimeoutMs).catch((error: unknown) => {
      loaded = undefined
      throw error
    }))

  return {
    async put(key, source, { maxBytes, contentType, signal }) {
      const { writer: client, Upload } = await sdk()
      const params = { Bucket: bucket, Key: requireKey(key), ContentType: contentType }
      let failure: { error: unknown } | undefined
      async function* watch() {
        try {
          yield* limitBytes(source, maxBytes, signal)
        } catch (error) {
          failure = { error }
          throw error
        }
      }
      const body = Readable.from(watch(), { objectMode: false })
      const parts = { partSize: PART_BYTES, queueSize: PARTS_AT_ONCE }
      const upload = new Upload({ client, ...parts, params: { ...params, Body: body } })
      // The source ends by itself on abort. This is for a store that does not respond.
      const abort = () => void upload.abort()
      signal?.addEventListener('abort', abort, { once: true })
      try {
        await upload.done()
      } catch (error) {
        // The failure of the source is more specific than that of the clean-up after it.
        if (failure) throw failure.error
        explain(error)
      } finally {
        signal?.removeEventListener('abort', abort)
        // If the store refused, the source is still open.
        body.destroy()
      }
    },
    async open(key) {
      const { reader, GetObjectCommand } = await sdk()
      try {
        const { Body, ContentLength } = await reader.send(
          new GetObjectCommand({ Bucket: bucket, Key: requireKey(key) }),
        )
        if (!(Body instanceof Readable)) throw new TypeError('The S3 client returned no stream')
        return { stream: toStream(requireProgress(Body, silenceTimeoutMs), Body), bytes: ContentLength ?? 0 }
      } catch (error) {
        explain(error)
      }
    },
    async delete(key) {
      const { writer, DeleteObjectCommand } = await sdk()
      await writer.send(new DeleteObjectCommand({ Bucket: bucket, Key: requireKey(key) })).catch(explain)
    },
    async *list(folder) {
      const { writer, paginateListObjectsV2 } = await sdk()
      const found = { Bucket: bucket, Prefix: `${requireKey(folder)}/`, Delimiter: '/' }
      try {
        for await (const page of paginateListObjectsV2({ client: writer }, found))
          for (const { Key: key, Size: bytes } of page.Contents ?? [])
            if (key !== undefined) yield { key, bytes: bytes ?? 0 }
      } catch (error) {
        explain(error)
      }
    },
    // Unfinished uploads are up to the bucket's lifecycle rule.
    sweep: () => Promise.resolve(),
    async close() {
      const open = await loaded
      open?.reader.destroy()
      open?.writer.destroy()
    },
  }
}

async function loadSdk({ endpoint, region, credentials }: S3Config, silenceTimeoutMs: number) {
  const { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2, S3Client } =
    await import('@aws-sdk/client-s3')
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
        // Stores other than AWS may treat the default checksum trailers as content.
        requestChecksumCalculation: 'WHEN_REQUIRED' as const,
        responseChecksumValidation: 'WHEN_REQUIRED' as const,
      }),
    })
  return {
    writer: connect({ socketTimeout: silenceTimeoutMs }),
    // A slow reader may leave the socket idle, so only the wait for the response is limited.
    reader: connect({ requestTimeout: silenceTimeoutMs, throwOnRequestTimeout: true }),
    DeleteObjectCommand,
    GetObjectCommand,
    paginateListObjectsV2,
    Upload,
  }
}

/** @throws BlobError `not_found`, or `unavailable` if the store may work later; otherwise the error itself */
function explain(error: unknown): never {
  if (error instanceof Error && error.name === 'NoSuchKey')
    throw new BlobError('not_found', 'There is no such blob')
  const status =
    error instanceof Error && '$metadata' in error
      ? (error.$metadata as { httpStatusCode?: number }).httpStatusCode
      : undefined
  const isRefused = status !== undefined && status < 500 && status !== TOO_MANY_REQUESTS
  const isOurs = error instanceof BlobError || (error instanceof Error && error.name === 'AbortError')
  if (isOurs || isRefused) throw error
  throw new BlobError('unavailable', 'The blob store does not respond, or has no room', error)
}

/** Yields chunks on demand, and fails if the next one does not arrive in time. */
async function* requireProgress(stream: Readable, timeoutMs: number): AsyncGenerator<Buffer> {
  const chunks = stream.iterator() as AsyncIterator<Buffer>
  for (;;) {
    const late = setTimeout(
      () => stream.destroy(new BlobError('unavailable', 'A blob stalled while it was read')),
      timeoutMs,
    )
    const next = await chunks.next().finally(() => clearTimeout(late))
    if (next.done) return
    yield next.value
  }
}
