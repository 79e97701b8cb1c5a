import { watchIdle } from '../transport/idle.ts'
import { randomText } from '../transport/random-text.ts'
import type { Attempt } from '../transport/attempt.ts'
import type { RequestBody } from '../transport/transport.ts'
import { whenAborted } from '../transport/when-aborted.ts'
import { base64Length, encodeBase64 } from './base64.ts'
import { isStream, type MediaSource, type OpenMedia, openMedia } from './media-source.ts'

export interface UploadProgress {
  /** Handed to the network by this try. */
  readonly sentBytes: number
  /** Null where a stream is sent. */
  readonly totalBytes: number | null
}

export interface UploadOptions {
  /** Called with every piece; starts again from 0 where the request is tried again. */
  readonly onProgress?: (progress: UploadProgress) => void
}

export interface UploadSettings extends UploadOptions {
  /** Whether to send while reading; else a blob is made first. */
  readonly stream: boolean
}

/** What a body is made of, in its order: media, encoded or not, and the text between as blobs. */
interface Piece {
  readonly source: MediaSource
  /** The field that media is of. */
  readonly name?: string
  readonly isBase64?: boolean
}

/** Media under names; those that are undefined are left out. */
export type Media = Readonly<Record<string, MediaSource | readonly MediaSource[] | undefined>>

const piecesIn = (media: Media) =>
  Object.entries(media).flatMap(([name, sources]) =>
    [sources].flat().flatMap((source) => (source === undefined ? [] : { name, source })),
  )

const text = (content: unknown): Piece => ({ source: new Blob([String(content)]) })

/** JSON with media as base64 that is made while it is sent: `front_image` becomes `front_image_b64`. */
export function jsonUpload(media: Media, fields: object, settings: UploadSettings): RequestBody {
  let before = JSON.stringify(fields).slice(0, -1)
  const pieces = piecesIn(media).flatMap((piece): Piece[] => {
    const opening = text(`${before}${before === '{' ? '' : ','}"${piece.name}_b64":"`)
    before = '"'
    return [opening, { ...piece, isBase64: true }]
  })
  return createBody('application/json', [...pieces, text(`${before}}`)], settings)
}

/** A multipart form with media as files. */
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
      // A browser keeps blobs out of the memory of scripts.
      return settings.stream ? stream : new Response(stream).blob()
    },
  }
}

async function* flow(
  pieces: readonly OpenMedia[],
  { onProgress }: UploadOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  // No body is without bytes, so 0 is none either.
  const totalBytes = pieces.reduce((sum, { bytes }) => sum + bytes, 0) || null
  let sentBytes = 0
  for (const { chunks } of pieces) {
    for await (const chunk of chunks) {
      yield chunk
      sentBytes += chunk.byteLength
      onProgress?.({ sentBytes, totalBytes })
    }
    // A source that was stopped ends as one that is whole.
    signal.throwIfAborted()
  }
}

/** `ReadableStream.from` is not everywhere; and not every fetch cancels the body of a request that is aborted. */
function streamOf(chunks: AsyncGenerator<Uint8Array>, attempt: Attempt): ReadableStream {
  const { signal } = attempt
  let stopIdleTimer = watchIdle(attempt)
  return new ReadableStream<Uint8Array>({
    start(controller) {
      whenAborted(signal, () => {
        stopIdleTimer()
        controller.error(signal.reason)
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
        // Errors the stream as well. What fetch makes of it alone would look like a failure of the connection.
        attempt.abort(error)
      }
    },
    async cancel() {
      stopIdleTimer()
      await chunks.return(undefined)
    },
  })
}
