const KIB = 1024
const MIB = 1024 * KIB

/** How long a caller may take to send a whole request; an upload of 50 MB fits at 200 kB/s. */
export const REQUEST_TIMEOUT_MS = 300_000

/** What is read of a request after its answer. */
export interface UnreadBounds {
  /** The connection stays open for the next request if no more than this is left of the body. As Go's net/http. */
  keepAliveBytes: number
  /** How long that may take. */
  keepAliveMs: number
  /** On a connection that is closed: as much as the largest body of any route. */
  lingerBytes: number
  /** A refused upload gets as long as an accepted one, */
  lingerMs: number
  /** but only while at least so much of it comes in each interval. The interval is the `lingering_timeout` of nginx. */
  progressBytes: number
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
