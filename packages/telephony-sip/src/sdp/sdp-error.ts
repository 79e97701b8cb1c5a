/** Reason why a session description is of no use. */
export type SdpErrorCode =
  | 'too_long'
  | 'malformed'
  /** It has no audio that we can take, or refuses it. */
  | 'no_audio'
  | 'no_common_codec'
  /** One side insists on SRTP, and the other does not have it. */
  | 'srtp_required'
  /** SRTP with no suite, key or parameters that we know. */
  | 'srtp_unsupported'

/** Reports a session description that cannot be read or agreed to. The message has nothing of the description in it. */
export class SdpError extends Error {
  override readonly name = 'SdpError'
  readonly code: SdpErrorCode

  constructor(code: SdpErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
