/** A message on a media stream that the protocol does not allow. It contains nothing of the message. */
export class StreamMessageError extends Error {
  override readonly name = 'StreamMessageError'
}
