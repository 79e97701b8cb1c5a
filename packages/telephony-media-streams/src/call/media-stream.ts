/** A media socket that has proven which call it belongs to. */
export interface MediaStream {
  readonly streamSid: string
  send(text: string): void
  /** Closes the socket. Nothing of it is read afterwards. */
  close(reason: string): void
}
