export { createDtmfDetector } from './dtmf/dtmf-detector.ts'
export type { DtmfDetector, DtmfDetectorOptions, DtmfPress } from './dtmf/dtmf-detector.ts'
export { type DtmfOptions, generateDtmf } from './dtmf/generate-dtmf.ts'
export { DTMF_HIGH_HZ, DTMF_LOW_HZ, type DtmfKey, dtmfKeyAt } from './dtmf/keypad.ts'
export { createFft, createPowerSpectrum, hannWindow } from './analyse/fft.ts'
export type { Fft } from './analyse/fft.ts'
export { createCrossfade, joinWithCrossfade } from './mix/crossfade.ts'
export type { Crossfade, CrossfadeCurve } from './mix/crossfade.ts'
export {
  createComfortNoise,
  describeNoise,
  formatComfortNoise,
  parseComfortNoise,
} from './repair/comfort-noise.ts'
export type { ComfortNoise, NoiseDescription } from './repair/comfort-noise.ts'
export { createFramer, type Framer, type FramerOptions, frameSamples } from './frame/framer.ts'
export { createTimedFramer, type TimedFrame, type TimedFramer } from './frame/timed-framer.ts'
export { amplitudeToDbfs, dbfsToAmplitude } from './measure/dbfs.ts'
export { createLevelMeter, measureLevels } from './measure/levels.ts'
export type { LevelMeter, Levels } from './measure/levels.ts'
export { createLoudnessMeter, measureLoudness } from './measure/loudness.ts'
export type { Loudness, LoudnessMeter, LoudnessOptions, LoudnessReading } from './measure/loudness.ts'
export { createLossConcealment } from './repair/loss-concealment.ts'
export type { LossConcealment } from './repair/loss-concealment.ts'
export { pcm16Bytes } from './convert/pcm16-bytes.ts'
export { RESAMPLER_PROFILES, type ResamplerProfile } from './resample/filter.ts'
export { createFloatResampler, createResampler } from './resample/resample.ts'
export type { Resampler, ResamplerKernel, ResamplerOptions } from './resample/resample.ts'
export { createTruePeakMeter, measureTruePeak } from './measure/true-peak.ts'
export type { TruePeakMeter } from './measure/true-peak.ts'
export { createVoiceActivityDetector } from './analyse/voice-activity.ts'
export type { VoiceActivityDetector, VoiceActivityOptions, VoiceEvent } from './analyse/voice-activity.ts'
export { createFloatWavReader, createWavReader, decodeWav } from './wav/read-wav.ts'
export type { DecodedWav, WavReader, WavReaderOptions } from './wav/read-wav.ts'
export { type WavChunk, WavError, type WavErrorCode, type WavFormat } from './wav/wav-format.ts'
export { encodeWav, WAV_HEADER_BYTES, wavHeader, type WavOptions } from './wav/write-wav.ts'
export { convertPcm, decodeFloat32, decodeFloat64, decodeInt16, encodePcm } from './convert/convert.ts'
export { createDither, type Dither } from './convert/dither.ts'
export { f32be, f32le, f64be, f64le } from './convert/float.ts'
export { sampleFormats } from './convert/formats.ts'
export { alaw, mulaw } from './convert/g711.ts'
export { float32ToInt16, int16ToFloat32 } from './convert/int16-float32.ts'
export { deinterleave, interleave, mixToMono } from './convert/interleave.ts'
export { createFloatPcmDecoder, createPcmDecoder, type PcmDecoder } from './convert/pcm-decoder.ts'
export { s16be, s16le } from './convert/s16.ts'
export { s24be, s24le } from './convert/s24.ts'
export { s32be, s32le } from './convert/s32.ts'
export type { SampleFormat, SampleFormatName, Samples } from './convert/sample-format.ts'
export { u8 } from './convert/u8.ts'
export { guard, type GuardOptions, StalledError } from './stream/guard.ts'
export { type MonoPart, perChannel } from './stream/per-channel.ts'
export { pipe, type Source, type Stage, toAsyncIterable } from './stream/pipe.ts'
export { decode, encode, frame, type Processor, resample, through } from './stream/stages.ts'
export { toReadableStream, toTransformStream } from './stream/web-streams.ts'
export { toWav } from './wav/to-wav.ts'
export { createFlacEncoder, type FlacEncoder, type FlacOptions } from './flac/flac-encoder.ts'
export { createJitterBuffer } from './jitter/jitter-buffer.ts'
export type {
  AudioPacket,
  JitterBuffer,
  JitterBufferOptions,
  JitterStatistics,
  PacketVerdict,
} from './jitter/types.ts'
export { createMixer } from './mix/mixer.ts'
export type { Mixer, MixerOptions, TrackOptions } from './mix/mixer.ts'
export { createSilenceTrimmer, trimSilence, type SilenceTrimOptions } from './repair/silence-trim.ts'
export { softLimit } from './mix/soft-limit.ts'
export { drawSpectrogram, perceptualColours } from './analyse/spectrogram.ts'
export type { Spectrogram, SpectrogramOptions } from './analyse/spectrogram.ts'
export {
  measureWaveform,
  type Waveform,
  waveformPath,
  waveformSvg,
  waveformText,
} from './analyse/waveform.ts'
