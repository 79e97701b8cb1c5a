import type { AudioErrorCode } from '../decode-audio/audio-error.ts'
import type { RecordingSearch } from './search-recording.ts'

/** The thread gets one recording at a time. */
export type DetectionReply =
  | { type: 'done'; search: RecordingSearch }
  | { type: 'refused'; code: AudioErrorCode; message: string }
  | { type: 'failed'; error: unknown }
