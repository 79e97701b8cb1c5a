export type AudioErrorCode =
  /** Neither WAV, MP3, Ogg, FLAC, MP4 nor WebM. */
  | 'unknown_type'
  /** Damaged, incomplete, without audio, or in a codec that is not accepted. */
  | 'damaged'
  | 'too_long'
  | 'decoding_timeout'
  /** Anything but WAV needs ffmpeg, which is not installed. */
  | 'decoder_missing'
  | 'aborted'

/** Reports audio that cannot be decoded. The message continues the name of the file and is safe to show to its sender. */
export class AudioError extends Error {
  override readonly name = 'AudioError'
  readonly code: AudioErrorCode

  constructor(code: AudioErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
