import { watchIdle } from '../transport/idle.ts'
import { randomText } from '../transport/random-text.ts'
import type { Attempt } from '../transport/attempt.ts'
import type { RequestBody } from '../transport/transport.ts'
import { whenAborted } from '../transport/when-aborted.ts'
import { base64Length, encodeBase64 } from './base64.ts'
import type { MediaSource } from '../media-source.ts'
import { isStream, type OpenMedia, openMedia } from './open-media.ts'

export interface UploadProgress {
  /** Bytes that this attempt has handed to the network. */
  readonly sentBytes: number
  /** Null if one of the sources is a stream. */
  readonly totalBytes: number | null
}

export interface UploadOptions {
  /** Called after every piece; restarts from 0 when the request is retried. */
  readonly onProgress?: (progress: UploadProgress) => void
}

export interface UploadSettings extends UploadOptions {
  /** Whether to send while reading; if false, the body is read into a blob first. */
  readonly stream: boolean
}

/** Part of a body: media, encoded or not, or the text between media, as a blob. */
interface Piece {
  readonly source: MediaSource
  /** Field of the media. */
  readonly name?: string
  readonly isBase64?: boolean
}

/** Media by field name; undefined entries are left out. */
export type Media = Readonly<Record<string, MediaSource | readonly MediaSource[] | undefined>>

const piecesIn = (media: Media) =>
  Object.entries(media).flatMap(([name, sources]) =>
    [sources].flat().flatMap((source) => (source === undefined ? [] : { name, source })),
  )

const text = (content: unknown): Piece => ({ source: new Blob([String(content)]) })

/** Creates a JSON body whose media is encoded as base64 while sending: `front_image` becomes `front_image_b64`. */
export function jsonUpload(media: Media, fields: object, settings: UploadSettings): RequestBody {
  let before = JSON.stringify(fields).slice(0, -1)
  const pieces = piecesIn(media).flatMap((piece): Piece[] => {
    const opening = text(`${before}${before === '{' ? '' : ','}"${piece.name}_b64":"`)
    before = '"'
    return [opening, { ...piece, isBase64: true }]
  })
  return createBody('application/json', [...pieces, text(`${before}}`)], settings)
}

/** Creates a multipart form with the media as files. */
export function formUpload(media: Media, fields: object, settings: UploadSettings): RequestBody {
  const boundary = randomText()
  const part = (name: string, content: Piece, more = ''): Piece[] => [
    text(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`),
    content,
    text('\r\n'),
  ]
  const pieces = [
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : part(name, text(value)),
    ),
    ...piecesIn(media).flatMap((piece) =>
      part(piece.name, piece, `; filename="${piece.name}"\r\ncontent-type: ${typeOf(piece.source)}`),
    ),
    text(`--${boundary}--\r\n`),
  ]
  return createBody(`multipart/form-data; boundary=${boundary}`, pieces, settings)
}

const typeOf = (source: MediaSource): string =>
  (source instanceof Blob && source.type) || 'application/octet-stream'

function createBody(contentType: string, pieces: readonly Piece[], settings: UploadSettings): RequestBody {
  return {
    contentType,
    replayable: !pieces.some(({ source }) => isStream(source)),
    async open(attempt) {
      const opened = await Promise.all(
        pieces.map(async ({ name, source, isBase64 }) => {
          const { bytes, chunks } = await openMedia(name, source, attempt.signal)
          return isBase64 ? { bytes: base64Length(bytes), chunks: encodeBase64(chunks) } : { bytes, chunks }
        }),
      )
      const stream = streamOf(flow(opened, settings, attempt.signal), attempt)
      // Browsers keep blobs outside the memory of scripts.
      return settings.stream ? stream : new Response(stream).blob()
    },
  }
}

async function* flow(
  pieces: readonly OpenMedia[],
  { onProgress }: UploadOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  // NaN means that a length is unknown. No body is empty, so mapping 0 to null as well does no harm.
  const totalBytes = pieces.reduce((sum, { bytes }) => sum + bytes, 0) || null
  let sentBytes = 0
  for (const { chunks } of pieces) {
    for await (const chunk of chunks) {
      yield chunk
      sentBytes += chunk.byteLength
      onProgress?.({ sentBytes, totalBytes })
    }
    // A source stopped by the signal ends like a complete one.
    signal.throwIfAborted()
  }
}

/**
 * Replaces `ReadableStream.from`, which is not available everywhere. Also stops on abort, because not every `fetch` cancels the
 * body then.
 */
function streamOf(chunks: AsyncGenerator<Uint8Array>, attempt: Attempt): ReadableStream {
  const { signal } = attempt
  let stopIdleTimer = watchIdle(attempt)
  return new ReadableStream<Uint8Array>({
    start(controller) {
      whenAborted(signal, () => {
        stopIdleTimer()
        // Later, because undici may still wait for a chunk when the connection breaks: an error that it gets before it has given up
        // is an unhandled rejection, which ends the process.
        setTimeout(() => controller.error(signal.reason))
        void chunks.return(undefined).catch(() => undefined)
      })
    },
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        stopIdleTimer()
        if (signal.aborted) return
        if (done) return controller.close()
        stopIdleTimer = watchIdle(attempt)
        controller.enqueue(value)
      } catch (error) {
        // Abort the attempt, which also errors the stream: the rejection of `fetch` alone would look like a connection failure.
        attempt.abort(error)
      }
    },
    async cancel() {
      stopIdleTimer()
      await chunks.return(undefined)
    },
  })
}
