import type { RequestBody } from '../transport/transport.ts'
import { base64Length, encodeBase64 } from './base64.ts'
import { isReplayable, type MediaSource, openMedia } from './media-source.ts'

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

/** Defaults of requests with media: what a slow line needs for 100 MB. */
export const UPLOAD_LIMITS = { timeoutMs: 30 * 60_000, tryTimeoutMs: 10 * 60_000 } as const

/** What a body is made of, in its order: text as it is, and media, encoded or not. */
type Piece = string | { readonly media: MediaSource; readonly base64: boolean }

interface OpenPiece {
  readonly bytes: number | null
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Media under names; those that are undefined are left out. */
type Media = Readonly<Record<string, MediaSource | readonly MediaSource[] | undefined>>

const mediaIn = (media: Media): [name: string, source: MediaSource][] =>
  Object.entries(media).flatMap(([name, source]) =>
    source === undefined
      ? []
      : Array.isArray(source)
        ? source.map((one) => [name, one] as const)
        : [[name, source]],
  ) as [string, MediaSource][]

/** JSON with media as base64 that is made while it is sent: `front_image` becomes `front_image_b64`. */
export function jsonUpload(media: Media, fields: object, settings: UploadSettings): RequestBody {
  const pieces: Piece[] = mediaIn(media).flatMap(([name, source], index) => [
    `${index === 0 ? '{' : '",'}"${name}_b64":"`,
    { media: source, base64: true },
  ])
  const rest = JSON.stringify(fields).slice(1)
  return createBody('application/json', [...pieces, rest === '}' ? '"}' : `",${rest}`], settings)
}

/** A multipart form with media as files. */
export function formUpload(media: Media, fields: object, settings: UploadSettings): RequestBody {
  const boundary = `vaani-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  const head = (name: string, more: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${head(name, '')}${value}\r\n`],
  )
  const files = mediaIn(media).flatMap(([name, source]): Piece[] => [
    head(name, `; filename="${name}"\r\ncontent-type: ${typeOf(source)}`),
    { media: source, base64: false },
    '\r\n',
  ])
  const pieces = [...texts, ...files, `--${boundary}--\r\n`]
  return createBody(`multipart/form-data; boundary=${boundary}`, pieces, settings)
}

const typeOf = (source: MediaSource): string =>
  (source instanceof Blob && source.type) || 'application/octet-stream'

export interface UploadSettings extends UploadOptions {
  /** Whether to send while reading; else a blob is made first. */
  readonly stream: boolean
}

function createBody(contentType: string, pieces: readonly Piece[], settings: UploadSettings): RequestBody {
  const sources = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.media]))
  let failure: RequestBody['failure']
  return {
    contentType,
    replayable: sources.every(isReplayable),
    get failure() {
      return failure
    },
    async open() {
      const opened = await Promise.all(pieces.map(openPiece))
      const totalBytes = opened.reduce<number | null>(
        (sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes),
        0,
      )
      const stream = streamOf(flow(opened, totalBytes, settings), (cause) => (failure = { cause }))
      // A browser keeps blobs out of the memory of scripts.
      return settings.stream ? stream : new Response(stream).blob()
    },
  }
}

async function openPiece(piece: Piece): Promise<OpenPiece> {
  if (typeof piece === 'string') {
    const bytes = new TextEncoder().encode(piece)
    return { bytes: bytes.length, chunks: [bytes] }
  }
  const { bytes, chunks } = await openMedia(piece.media)
  if (!piece.base64) return { bytes, chunks }
  return { bytes: bytes === null ? null : base64Length(bytes), chunks: encodeBase64(chunks) }
}

async function* flow(
  pieces: readonly OpenPiece[],
  totalBytes: number | null,
  { onProgress }: UploadOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let sentBytes = 0
  for (const { chunks } of pieces)
    for await (const chunk of chunks) {
      yield chunk as Uint8Array<ArrayBuffer>
      sentBytes += chunk.byteLength
      onProgress?.({ sentBytes, totalBytes })
    }
}

/** `ReadableStream.from` is not everywhere. */
function streamOf(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  onFailure: (cause: unknown) => void,
): ReadableStream {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next().catch((cause: unknown) => {
        onFailure(cause)
        throw cause
      })
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
