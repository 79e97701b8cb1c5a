import type { ReceivedBody } from '../transport/received-body.ts'
import type { ItemStream } from './item-stream.ts'

/** An audio file as it comes: iterate its bytes as they arrive, or take it whole; either, once. */
export interface AudioFile extends ItemStream<Uint8Array> {
  /** As in `audio/wav`. */
  readonly contentType: string
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

export function readAudio(body: ReceivedBody): AudioFile {
  return {
    contentType: body.response.headers.get('content-type') ?? 'application/octet-stream',
    cancel: body.cancel,
    [Symbol.asyncIterator]: body.chunks,
    bytes: async () => new Uint8Array(await new Blob(await Array.fromAsync(body.chunks())).arrayBuffer()),
  }
}
