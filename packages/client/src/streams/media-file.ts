import type { Received } from '../transport/attempt.ts'
import { bytesOf } from './bytes-of.ts'
import { createItemStream, type ItemStream } from './item-stream.ts'
import { readChunks } from '../transport/read-chunks.ts'

/** An audio file, a picture or a video: iterate its bytes as they arrive, or read it whole with `bytes()`. It can be read once. */
export interface MediaFile extends ItemStream<Uint8Array<ArrayBuffer>> {
  /** For example `audio/wav`. */
  readonly contentType: string
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

export function readMedia(received: Received): MediaFile {
  return {
    ...createItemStream(received, () => readChunks(received)),
    contentType: received.response.headers.get('content-type') ?? 'application/octet-stream',
    bytes: async () => bytesOf(await Array.fromAsync(readChunks(received))),
  }
}
