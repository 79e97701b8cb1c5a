import type { AudioErrorCode } from '../decode-audio/index.ts'
import type { RecordingFault } from './judge-recordings.ts'
import type { VoiceMeasure } from './measure-voice.ts'

export type ExamineRequest =
  | { type: 'recordings'; files: readonly string[] }
  | { type: 'speech'; samples: Int16Array<ArrayBuffer>; sampleRateHz: number }

/** A reason why a recording cannot be used. */
export interface RecordingProblem {
  /** Position of the recording; null if it concerns all of them together. */
  recording: number | null
  reason: RecordingFault | AudioErrorCode
  /** Continues the name of the recording; safe to show to its sender. */
  message: string
}

export type ExamineReply =
  | { type: 'refused'; problems: readonly RecordingProblem[] }
  | { type: 'measured'; voice: VoiceMeasure }
  | { type: 'failed'; error: unknown }
