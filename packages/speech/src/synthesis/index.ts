export { MAX_AAC_STREAMS_PER_TENANT } from './aac-streams.ts'
export { FILE_MEDIA_TYPES } from './file-encoder.ts'
export {
  ENCODED_STREAM_FORMATS,
  ENCODED_STREAM_SAMPLE_RATE_HZ,
  type EncodedStreamFormat,
  FILE_FORMATS,
  FILE_SAMPLE_RATES_HZ,
  type FileFormat,
  type FileSampleRateHz,
  SPEECH_LUFS,
  SYNTHESIS_MODEL_PROFILES,
  type SynthesisModel,
  type SynthesisModelProfile,
} from '../stream/models.ts'
export { createRenderPool, type RenderPool } from './render-pool.ts'
export {
  type SynthesizedSpeech,
  synthesizeSpeech,
  type SynthesizeSpeechOptions,
} from './synthesize-speech.ts'
export { streamEncodedSpeech, type StreamEncodedSpeechOptions } from './stream-encoded-speech.ts'
