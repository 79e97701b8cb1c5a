import type { Interruption } from '../transport/interruption.ts'
import { randomHex } from '../transport/random-hex.ts'
import type { RequestBody } from '../transport/transport.ts'
import { whenAborted } from '../transport/when-aborted.ts'
import { base64Length, encodeBase64 } from './base64.ts'
import { isReplayable, type MediaSource, type OpenMedia, openMedia } from './media-source.ts'

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
  readonly isBase64?: boolean
}

/** Media under names; those that are undefined are left out. */
export type Media = Readonly<Record<string, MediaSource | readonly MediaSource[] | undefined>>

const mediaIn = (media: Media): { name: string; source: MediaSource }[] =>
  Object.entries(media).flatMap(([name, sources]) =>
    [sources].flat().flatMap((source) => (source === undefined ? [] : [{ name, source }])),
  )

const text = (content: string): Piece => ({ source: new Blob([content]) })

/** JSON with media as base64 that is made while it is sent: `front_image` becomes `front_image_b64`. */
export function jsonUpload(media: Media, fields: object, settings: UploadSettings): RequestBody {
  const pieces = mediaIn(media).flatMap(({ name, source }, index): Piece[] => [
    text(`${index === 0 ? '{' : '",'}"${name}_b64":"`),
    { source, isBase64: true },
  ])
  const rest = JSON.stringify(fields).slice(1)
  return createBody('application/json', [...pieces, text(rest === '}' ? '"}' : `",${rest}`)], settings)
}

/** A multipart form with media as files. */
export function formUpload(media: Media, fields: object, settings: UploadSettings): RequestBody {
  const boundary = randomHex()
  const part = (name: string, source: MediaSource, more = ''): Piece[] => [
    text(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`),
    { source },
    text('\r\n'),
  ]
  const pieces = [
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : part(name, new Blob([String(value)])),
    ),
    ...mediaIn(media).flatMap(({ name, source }) =>
      part(name, source, `; filename="${name}"\r\ncontent-type: ${typeOf(source)}`),
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
    replayable: pieces.every(({ source }) => isReplayable(source)),
    async open(attempt) {
      const opened = await Promise.all(pieces.map((piece) => openPiece(piece, attempt.signal)))
      const stream = streamOf(flow(opened, settings, attempt), attempt)
      // A browser keeps blobs out of the memory of scripts.
      return settings.stream ? stream : new Response(stream).blob()
    },
  }
}

async function openPiece({ source, isBase64 }: Piece, signal: AbortSignal): Promise<OpenMedia> {
  const { bytes, chunks } = await openMedia(source, signal)
  return isBase64 ? { bytes: base64Length(bytes), chunks: encodeBase64(chunks) } : { bytes, chunks }
}

type TryEnd = Pick<Interruption, 'signal' | 'abort'>

async function* flow(
  pieces: readonly OpenMedia[],
  { onProgress }: UploadOptions,
  { signal }: TryEnd,
): AsyncGenerator<Uint8Array> {
  const knownBytes = pieces.reduce((sum, { bytes }) => sum + bytes, 0)
  const totalBytes = Number.isNaN(knownBytes) ? null : knownBytes
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
function streamOf(chunks: AsyncGenerator<Uint8Array>, { signal, abort }: TryEnd): ReadableStream {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      whenAborted(signal, () => {
        controller.error(signal.reason)
        void chunks.return(undefined).catch(() => undefined)
      })
    },
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (signal.aborted) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        // Errors the stream as well. What fetch makes of it alone would look like a failure of the connection.
        abort(error)
      }
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
