/** A request for callers in any language. Its body is `head`, then `fillBytes` times the letter A, then `tail`. */
export interface WireRequest {
  readonly name: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly head: string
  readonly fillBytes: number
  readonly tail: string
  /** Otherwise it is sent with Content-Length. */
  readonly isChunked: boolean
  /** With a pause before each of its pieces. */
  readonly isSlow: boolean
  /** Requested next by the same caller, on the same connection if possible. */
  readonly nextUrl: string
}

/** What a caller got, or why it did not get both answers. */
export interface WireResult {
  readonly name: string
  readonly status?: number
  readonly body?: string
  readonly nextStatus?: number
  readonly failure?: string
}

export const FILL = 'A'
const PIECES = 16

/** The body in the pieces in which it is sent, each after a pause if it is slow. */
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

/** How long a caller waits for an answer. */
export const LIMIT_MS = 20_000
