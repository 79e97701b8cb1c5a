/** Voices made of recordings of a speaker. */
export {
  judgeRecordings,
  type JudgedRecording,
  RECORDING_BOUNDS,
  RECORDING_FAULTS,
  type RecordingFault,
  VOICED_SECONDS,
} from './judge-recordings.ts'
export { matchVoice, type ParametricVoice, type VoiceMatch } from './match-voice.ts'
export { formantRatio, measureVoice, type VoiceMeasure } from './measure-voice.ts'
export type { VoiceShape } from './shape-voice.ts'
export { ANALYSIS_RATE_HZ } from './track-voice.ts'
export {
  createVoiceExaminer,
  type RecordingProblem,
  RecordingsError,
  type VoiceExaminer,
} from './voice-examiner.ts'
export { withVoice } from './with-voice.ts'
