import type { SampleFormatName } from '../convert/sample-format.ts'

/** Format of the audio in a WAV file. */
export interface WavFormat {
  readonly sampleRateHz: number
  readonly channels: number
  /** Encoding of the samples in the file. */
  readonly sampleFormat: SampleFormatName
  /** Significant bits per sample, which may be fewer than its bytes hold, such as 20 of 24. */
  readonly validBits: number
  /** Speakers of the channels (dwChannelMask); undefined if the file does not have it. */
  readonly channelMask: number | undefined
  /** Bytes of audio; undefined if the header does not say, as in a stream and in a file that ends with its header. */
  readonly dataBytes: number | undefined
}

/** A chunk of a WAV file other than its format and audio, such as `cue ` or `LIST`, byte for byte. */
export interface WavChunk {
  /** Four characters. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** `WAVE_FORMAT_…` of Microsoft's mmreg.h. */
export const FORMAT_TAGS = { pcm: 1, float: 3, alaw: 6, mulaw: 7, extensible: 0xff_fe } as const

/** The common tail of all `KSDATAFORMAT_SUBTYPE_…` for format tags: 8000-00aa00389b71 (ksmedia.h). */
export const SUBTYPE_TAIL: readonly number[] = [0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]

/** Reason why a WAV file cannot be read. */
export type WavErrorCode =
  /** The bytes do not start like a WAV file. */
  | 'not_wav'
  /** The format is incomplete, or does not precede the audio. */
  | 'format_missing'
  /** The format contradicts itself. */
  | 'format_invalid'
  /** The audio is in a codec that this package does not support, such as ADPCM or MP3. */
  | 'format_unsupported'
  /** The file has more chunks than any writer makes. */
  | 'too_many_chunks'
  /** The file ends before the audio, or before as much of it as the header declares. */
  | 'truncated'

/** Reports bytes that are not a readable WAV file. The message quotes only numbers of the header. */
export class WavError extends Error {
  override readonly name = 'WavError'
  readonly code: WavErrorCode

  constructor(code: WavErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
