export { type Emotion, EMOTIONS, NEUTRAL, prosodyOf } from './emotions.ts'
export {
  type EngineCapabilities,
  type EngineLanguage,
  type LanguageQuality,
  type Prosody,
  type SpeechEngine,
  speaksIn,
  type SpokenWord,
  type SynthesisOptions,
  type SynthesisRequest,
} from './engine.ts'
export { type SpokenLanguage, spokenLanguages, supportedLanguage } from './spoken-languages.ts'
export {
  createLiveSpeech,
  type LiveSpeech,
  type LiveSpeechEvent,
  type LiveSpeechOptions,
} from './live/live-speech.ts'
export type { LiveMessage, Manner } from './live/script.ts'
export { createSpeechPacer, type Pace, type SpeechPacer } from './stream/pacer.ts'
export type { SpeechRoute } from './router/choose-engines.ts'
export { createSpeechRouter, type RouterEvent, type SpeechRouterOptions } from './router/create-router.ts'
export type { RestRules } from '@vaani/turns'
export type { Markup } from './text/markup/markup-reader.ts'
export { segmentText, type TextSegment } from './text/segment-text.ts'
export { speakableText } from './text/speakable-text.ts'
export { SpeechError, type SpeechErrorCode, type SpeechErrorOptions } from './speech-error.ts'
export {
  createLexicon,
  type Lexicon,
  type LexiconEntry,
  LexiconError,
  LEXICON_LIMITS,
} from './text/lexicon.ts'
export { originalRange, type SpokenText } from './text/spoken-text.ts'
export { createSpokenTextStream, type SpokenTextStream } from './text/spoken-text-stream.ts'
export { type SpokenTextOptions, toSpokenText } from './text/to-spoken-text.ts'
export { hasTextRules, SPOKEN_LANGUAGES } from './text/languages/index.ts'
export { STREAM_FRAME_SAMPLES, STREAM_SAMPLE_RATE_HZ, type StreamModel } from './stream/frame-maker.ts'
export { streamSpeech, type StreamSpeechOptions } from './stream/stream-speech.ts'
