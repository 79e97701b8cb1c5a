/** A media socket that has proven which call it belongs to. */
export interface MediaStream {
  readonly streamSid: string
  send(data: string | Uint8Array): void
  /** Closes the socket. Nothing of it is read afterwards. */
  close(reason: string): void
}
