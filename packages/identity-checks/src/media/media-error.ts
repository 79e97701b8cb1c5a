/** Reason why media cannot be checked at all. */
export type MediaErrorCode =
  | 'unknown_type'
  | 'pdf_not_supported'
  | 'damaged'
  | 'too_many_pixels'
  | 'too_small'
  | 'no_video'
  | 'too_short'
  | 'too_long'
  | 'protected'
  | 'too_many_pages'
  | 'decoding_timeout'
  | 'too_much_memory'
  | 'other_script'

/** Reports refused media. The message is safe to show to its sender. */
export class MediaError extends Error {
  override readonly name = 'MediaError'
  readonly code: MediaErrorCode

  constructor(code: MediaErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
