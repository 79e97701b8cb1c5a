const KIB = 1024
const MIB = 1024 * KIB

/** How long a caller may take to send a whole request; an upload of 50 MB fits at 200 kB/s. */
export const REQUEST_TIMEOUT_MS = 300_000

/** How much of a request is read after its answer, and for how long. */
export interface UnreadBounds {
  /** If no more than this is left of the body, it is read and the connection stays open. As in Go's net/http. */
  keepAliveBytes: number
  keepAliveMs: number
  /** Discarded at most on a connection that closes: the largest body of any route. */
  lingerBytes: number
  /** A refused upload gets as much time as an accepted one. */
  lingerMs: number
  /** A connection that closes is cut if fewer bytes than these arrive in an interval. */
  progressBytes: number
  /** As the `lingering_timeout` of nginx. */
  progressMs: number
}

export const UNREAD_BOUNDS: UnreadBounds = {
  keepAliveBytes: 256 * KIB,
  keepAliveMs: 10_000,
  lingerBytes: 128 * MIB,
  lingerMs: REQUEST_TIMEOUT_MS,
  progressBytes: 64 * KIB,
  progressMs: 5000,
}
