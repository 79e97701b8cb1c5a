import type { MeasuredFile } from './render-file.ts'

/** A file that a thread renders; see `FileRenderer`. */
export interface RemoteFile {
  measure(samples: Int16Array): Promise<void>
  measured(): Promise<MeasuredFile>
  /** Takes the samples away: their buffer is transferred. */
  render(samples: Int16Array<ArrayBuffer>): Promise<Uint8Array>
  finish(): Promise<Uint8Array>
  /** Idempotent. */
  close(): void
}

/** Speech that a thread or a process encodes while it is spoken; see `StreamRenderer`. */
export type RemoteStream = Pick<RemoteFile, 'render' | 'finish' | 'close'>
