const KIB = 1024
const MIB = 1024 * KIB

/** How long a caller may take to send a whole request. Enough for an upload of 50 MB at 200 kB/s. */
export const REQUEST_TIMEOUT_MS = 300_000

/**
 * A connection is cut if its caller reads nothing of a response that is waiting to be sent for this long. Node looks only once in that time,
 * so it may take twice as long.
 */
export const RECEIVER_IDLE_MS = 30_000

/** How much of a request is read after its response, and for how long. */
export interface UnreadBounds {
  /** If at most this much of the body is left, it is read and the connection stays open. Same as Go's net/http. */
  keepAliveBytes: number
  keepAliveMs: number
  /** Maximum number of bytes to discard on a closing connection: the largest body of any route. */
  lingerBytes: number
  /** A refused upload gets as much time as an accepted one. */
  lingerMs: number
  /** A closing connection is cut if fewer bytes than this arrive in an interval. */
  progressBytes: number
  /** Same as nginx's `lingering_timeout`. */
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
