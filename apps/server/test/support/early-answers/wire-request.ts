/** A request as callers of any language send it: its body is `head`, then `fill` as often as it takes, then `tail`. */
export interface WireRequest {
  readonly name: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly head: string
  readonly fillBytes: number
  readonly tail: string
  /** Otherwise its length goes first. */
  readonly isChunked: boolean
  /** With a pause before each of its pieces. */
  readonly isSlow: boolean
  /** What is asked next, by the same caller and if it can be on the same connection. */
  readonly nextUrl: string
}

/** What a caller got; `failure` says what went wrong before it had both answers. */
export interface WireResult {
  readonly name: string
  readonly status?: number
  readonly body?: string
  readonly nextStatus?: number
  readonly failure?: string
}

export const FILL = 'A'
const PIECES = 16

/** The body in the pieces in which it is sent. */
export function* piecesOf({ head, fillBytes, tail }: WireRequest): Generator<Buffer> {
  yield Buffer.from(head)
  const pieceBytes = Math.max(1, Math.ceil(fillBytes / PIECES))
  for (let left = fillBytes; left > 0; left -= pieceBytes)
    yield Buffer.alloc(Math.min(left, pieceBytes), FILL)
  yield Buffer.from(tail)
}

export const bytesOf = ({ head, fillBytes, tail }: WireRequest): number =>
  Buffer.byteLength(head) + fillBytes + Buffer.byteLength(tail)

/** The pause after a piece of a slow body. */
export const PAUSE_MS = 4

/** How long a caller waits for an answer. */
export const LIMIT_MS = 20_000
