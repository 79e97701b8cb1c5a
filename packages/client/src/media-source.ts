/**
 * Source of media: a `Blob` or `File`, bytes, a stream, or in Node, Bun and Deno the path of a file. A stream can be sent only
 * once, so a request with one is never retried.
 */
export type MediaSource =
  | Blob
  | Uint8Array
  | ArrayBuffer
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>
  | string
