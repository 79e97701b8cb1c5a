import { StalledStreamError } from '../errors.ts'
import { randomText } from '../transport/random-text.ts'
import type { Reading, RequestBody } from '../transport/transport.ts'
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
  readonly name: string
  readonly isBase64?: boolean
}

/** Media under names; those that are undefined are left out. */
export type Media = Readonly<Record<string, MediaSource | readonly MediaSource[] | undefined>>

const mediaIn = (media: Media): { name: string; source: MediaSource }[] =>
  Object.entries(media).flatMap(([name, sources]) =>
    [sources].flat().flatMap((source) => (source === undefined ? [] : [{ name, source }])),
  )

const text = (content: string): Piece => ({ name: 'text', source: new Blob([content]) })

/** JSON with media as base64 that is made while it is sent: `front_image` becomes `front_image_b64`. */
export function jsonUpload(media: Media, fields: object, settings: UploadSettings): RequestBody {
  const pieces = mediaIn(media).flatMap(({ name, source }, index): Piece[] => [
    text(`${index === 0 ? '{' : '",'}"${name}_b64":"`),
    { name, source, isBase64: true },
  ])
  const rest = JSON.stringify(fields).slice(1)
  const more = rest === '}' ? '"}' : `",${rest}`
  return createBody('application/json', [...pieces, text(pieces.length > 0 ? more : `{${rest}`)], settings)
}

/** A multipart form with media as files. */
export function formUpload(media: Media, fields: object, settings: UploadSettings): RequestBody {
  const boundary = randomText()
  const part = (name: string, source: MediaSource, more = ''): Piece[] => [
    text(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`),
    { name, source },
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
    replayable: !pieces.some(({ source }) => isStream(source)),
    async open(reading) {
      const { signal } = reading.interruption
      const opened = await Promise.all(pieces.map((piece) => openPiece(piece, signal)))
      const stream = streamOf(flow(opened, settings, signal), reading)
      // A browser keeps blobs out of the memory of scripts.
      return settings.stream ? stream : new Response(stream).blob()
    },
  }
}

async function openPiece({ name, source, isBase64 }: Piece, signal: AbortSignal): Promise<OpenMedia> {
  const { bytes, chunks } = await openMedia(name, source, signal)
  return isBase64 ? { bytes: base64Length(bytes), chunks: encodeBase64(chunks) } : { bytes, chunks }
}

async function* flow(
  pieces: readonly OpenMedia[],
  { onProgress }: UploadOptions,
  signal: AbortSignal,
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
function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  { interruption: { signal, abort }, context, idleTimeoutMs, clock }: Reading,
): ReadableStream {
  const stalled = (): void => abort(new StalledStreamError({ ...context, idleTimeoutMs }))
  let stopIdleTimer = clock.after(idleTimeoutMs, stalled)
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
        stopIdleTimer = clock.after(idleTimeoutMs, stalled)
        controller.enqueue(value)
      } catch (error) {
        // Errors the stream as well. What fetch makes of it alone would look like a failure of the connection.
        abort(error)
      }
    },
    async cancel() {
      stopIdleTimer()
      await chunks.return(undefined)
    },
  })
}
