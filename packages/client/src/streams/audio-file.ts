import type { Received } from '../transport/received.ts'
import type { ItemStream } from './item-stream.ts'
import { cancel, readChunks } from './received-stream.ts'

/** An audio file as it comes: iterate its bytes as they arrive, or take it whole; either, once. */
export interface AudioFile extends ItemStream<Uint8Array> {
  /** As in `audio/wav`. */
  readonly contentType: string
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

export function readAudio(received: Received): AudioFile {
  return {
    contentType: received.response.headers.get('content-type') ?? 'application/octet-stream',
    cancel: () => cancel(received),
    [Symbol.asyncIterator]: () => readChunks(received),
    bytes: async () =>
      new Uint8Array(await new Blob(await Array.fromAsync(readChunks(received))).arrayBuffer()),
  }
}
