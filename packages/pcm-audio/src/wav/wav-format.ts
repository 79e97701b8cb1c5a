import type { SampleFormatName } from '../convert/sample-format.ts'

/** What a WAV file says of its audio. */
export interface WavFormat {
  readonly sampleRateHz: number
  readonly channels: number
  /** How the samples lie in the file. */
  readonly sampleFormat: SampleFormatName
  /** Bits that count, where a sample's bytes hold more than that, as 20 of 24. */
  readonly validBits: number
  /** Which speakers the channels are for (dwChannelMask); undefined where the file doesn't say. */
  readonly channelMask: number | undefined
  /** Bytes of audio; undefined in a stream whose writer did not know. */
  readonly dataBytes: number | undefined
}

/** `WAVE_FORMAT_…` of Microsoft's mmreg.h. */
export const FORMAT_TAGS = { pcm: 1, float: 3, alaw: 6, mulaw: 7, extensible: 0xff_fe } as const

/** The tail of all `KSDATAFORMAT_SUBTYPE_…` that stand for a format tag: 8000-00aa00389b71 (ksmedia.h). */
export const SUBTYPE_TAIL: readonly number[] = [0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]

/** Why something is no WAV file that can be read. */
export type WavErrorCode =
  /** It does not begin as one. */
  | 'not_wav'
  /** The format is not where it must be: before the audio, and whole. */
  | 'format_missing'
  /** The format contradicts itself. */
  | 'format_invalid'
  /** The audio is in a codec that this package does not know, as ADPCM or MP3. */
  | 'format_unsupported'
  /** The end came before the audio, or before as much of it as the header says. */
  | 'truncated'

/** Bytes that are no WAV file, or none that can be read. The message quotes nothing but numbers of the header. */
export class WavError extends Error {
  override readonly name = 'WavError'
  readonly code: WavErrorCode

  constructor(code: WavErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
