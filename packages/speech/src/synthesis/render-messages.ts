import type { MeasuredFile, RenderSettings } from './render-file.ts'
import type { StreamRenderSettings } from './render-stream.ts'

/** A request to a thread, about the file or stream with the number `file`. */
export type RenderRequest = { id: number; file: number } & (
  | { type: 'open'; settings: RenderSettings }
  | { type: 'open_stream'; settings: StreamRenderSettings }
  | { type: 'measure'; samples: Int16Array }
  | { type: 'measured' }
  | { type: 'render'; samples: Int16Array }
  | { type: 'finish' }
  | { type: 'close' }
)

/** A thread answers the requests in their order. */
export type RenderReply =
  | { id: number; type: 'done'; measured?: MeasuredFile; bytes?: Uint8Array<ArrayBuffer> }
  | { id: number; type: 'failed'; error: unknown }
