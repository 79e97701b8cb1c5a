export { type Emotion, EMOTIONS, NEUTRAL, prosodyOf } from './emotions.ts'
export {
  type EngineCapabilities,
  type EngineLanguage,
  type LanguageQuality,
  type Prosody,
  type SpeechEngine,
  supportedLanguage,
  type SynthesisOptions,
  type SynthesisRequest,
} from './engine.ts'
export { segmentText, type TextSegment } from './segment-text.ts'
export { speakableText } from './speakable-text.ts'
export { SpeechError, type SpeechErrorCode } from './speech-error.ts'
export {
  STREAM_FRAME_SAMPLES,
  STREAM_SAMPLE_RATE_HZ,
  streamSpeech,
  type StreamSpeechOptions,
} from './stream-speech.ts'
