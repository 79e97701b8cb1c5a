import type { ResamplerProfile } from '@vaani/pcm-audio'

export const FILE_FORMATS = ['wav', 'mp3', 'ogg'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]
export const FILE_SAMPLE_RATES_HZ = [16_000, 22_050, 44_100] as const
export type FileSampleRateHz = (typeof FILE_SAMPLE_RATES_HZ)[number]

/** Formats of speech that is encoded while it is spoken. `pcm` is 16-bit little-endian, `opus` is in Ogg, `aac` in ADTS. */
export const ENCODED_STREAM_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const
export type EncodedStreamFormat = (typeof ENCODED_STREAM_FORMATS)[number]
/** The rate of OpenAI's speech. Opus is decoded at 48 kHz whatever it was encoded from. */
export const ENCODED_STREAM_SAMPLE_RATE_HZ = 24_000

/** Bit rates that MPEG-1 and MPEG-2 Layer III both have. */
export type Mp3Kbps = 24 | 32 | 40 | 48 | 64 | 96 | 128

/** What distinguishes a synthesis model from another, besides its rate limit. All speak through the same engine. */
export interface SynthesisModelProfile {
  /** Rate to which the engine's speech is reduced, twice its audio band; null keeps the whole band of the engine. */
  readonly bandSampleRateHz: number | null
  /** Quality of every resampling on the way. */
  readonly resampler: ResamplerProfile
  /** Constant bit rate of MP3 by its sample rate, in kbit/s. */
  readonly mp3Kbps: Readonly<Record<FileSampleRateHz, Mp3Kbps>>
  /** Quality of Ogg Vorbis, -1 to 10. */
  readonly oggQuality: number
  /** Upper bound of the mean bit rate of a minute of Ogg, at any sample rate, in kbit/s. Files of a few seconds add 4 KiB of headers. */
  readonly oggBudgetKbps: number
  /** Bit rates of speech that is encoded while it is spoken, at `ENCODED_STREAM_SAMPLE_RATE_HZ`, in kbit/s. */
  readonly streamKbps: Readonly<{ mp3: Mp3Kbps; opus: number; aac: number }>
  /** Time to the first byte of ten seconds of speech that a model must keep to on an idle machine with two cores. */
  readonly firstByteBudgetMs: number
}

export const SYNTHESIS_MODEL_PROFILES = {
  /** For production and media: the whole band of the engine, without an audible trace of the encoder. */
  'synth-v1': {
    bandSampleRateHz: null,
    resampler: 'strict',
    mp3Kbps: { 16_000: 64, 22_050: 96, 44_100: 128 },
    oggQuality: 6,
    oggBudgetKbps: 112,
    streamKbps: { mp3: 96, opus: 48, aac: 96 },
    firstByteBudgetMs: 200,
  },
  /** For apps: wideband speech (8 kHz, as in calls over the internet) at half the size. */
  'synth-l1': {
    bandSampleRateHz: 16_000,
    resampler: 'standard',
    mp3Kbps: { 16_000: 32, 22_050: 48, 44_100: 64 },
    oggQuality: 2,
    oggBudgetKbps: 64,
    streamKbps: { mp3: 48, opus: 24, aac: 64 },
    firstByteBudgetMs: 150,
  },
  /** For embedded systems: a band of 5.5 kHz, which keeps consonants apart, at the smallest size that sounds clean. */
  'synth-l2': {
    bandSampleRateHz: 11_025,
    resampler: 'fast-aliasing',
    mp3Kbps: { 16_000: 24, 22_050: 32, 44_100: 48 },
    oggQuality: -1,
    oggBudgetKbps: 40,
    streamKbps: { mp3: 32, opus: 16, aac: 32 },
    firstByteBudgetMs: 120,
  },
} as const satisfies Record<string, SynthesisModelProfile>
export type SynthesisModel = keyof typeof SYNTHESIS_MODEL_PROFILES

/** Loudness of neutral speech in every language and voice. EBU R 128 has -23 for broadcast, AES TD1008 -18 for streamed speech. */
export const SPEECH_LUFS = -20
/**
 * Highest true peak of the samples that are encoded, in dBTP. Decoded files stay below -1: the meter of BS.1770 reads up to
 * 0.4 dB low, and lossy encoders overshoot, the more the lower the bit rate (AES TD1008, section 8).
 */
export const TRUE_PEAK_DBTP: Readonly<Record<FileFormat | 'opus' | 'aac', number>> = {
  wav: -1.4,
  mp3: -2,
  ogg: -2.5,
  opus: -2.5,
  aac: -4,
}
/** LAME multiplies its input by 0.95 to make room for overshoots, which the limiter already does. */
export const ENCODER_GAIN_DB: Readonly<Record<FileFormat | 'opus' | 'aac', number>> = {
  wav: 0,
  mp3: 20 * Math.log10(0.95),
  ogg: 0,
  opus: 0,
  aac: 0,
}
