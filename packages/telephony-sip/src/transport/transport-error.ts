const MESSAGES = {
  closed: 'The transport is closed.',
  unsupported: 'There is no socket for this transport and this kind of address.',
  unsendable: 'The message cannot be written, or is too large for a datagram.',
  unreachable: 'The peer cannot be reached.',
  untrusted: 'The certificate of the peer does not prove its name.',
  timeout: 'The connection was not made in time.',
  overloaded: 'There are too many connections, or too many bytes that the peer has not taken.',
  unbound: 'The local address cannot be bound.',
} as const

export type TransportErrorCode = keyof typeof MESSAGES

/** Reports why a message could not be sent, or a socket not opened. Its message names no peer. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly code: TransportErrorCode

  constructor(code: TransportErrorCode, options?: ErrorOptions) {
    super(MESSAGES[code], options)
    this.code = code
  }
}
