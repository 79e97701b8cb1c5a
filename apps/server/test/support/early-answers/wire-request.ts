/** A request for callers in any language. Its body is `head`, then `fillBytes` times the letter A, then `tail`. */
export interface WireRequest {
  readonly name: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly head: string
  readonly fillBytes: number
  readonly tail: string
  /** If false, it is sent with Content-Length. */
  readonly isChunked: boolean
  /** Sent with a pause before each piece. */
  readonly isSlow: boolean
  /** Requested next by the same caller, on the same connection if possible. */
  readonly nextUrl: string
}

/** The responses that a caller got, or the reason why it did not get both. */
export interface WireResult {
  readonly name: string
  readonly status?: number
  readonly body?: string
  readonly nextStatus?: number
  readonly failure?: string
}

export const FILL = 'A'
const PIECES = 16

/** Splits the body into the pieces that are sent, each after a pause if the request is slow. */
export function* piecesOf({ head, fillBytes, tail }: WireRequest): Generator<Buffer> {
  yield Buffer.from(head)
  const pieceBytes = Math.max(1, Math.ceil(fillBytes / PIECES))
  for (let left = fillBytes; left > 0; left -= pieceBytes)
    yield Buffer.alloc(Math.min(left, pieceBytes), FILL)
  yield Buffer.from(tail)
}

export const bytesOf = ({ head, fillBytes, tail }: WireRequest): number =>
  Buffer.byteLength(head) + fillBytes + Buffer.byteLength(tail)

export const PAUSE_MS = 4

/** How long a caller waits for a response. */
export const LIMIT_MS = 60_000
