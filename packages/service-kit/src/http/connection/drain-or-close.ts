import type { UnreadBounds } from './bounds.ts'

/** The state of a request, when its answer goes out before the body has arrived. */
export interface UnreadRequest {
  /** At most so many bytes of the body have still to arrive; null if it comes in chunks. */
  leftBytes: number | null
  /** Whether the caller waits for a 100 that was not sent. After another answer it may send the body or leave it out. */
  awaitsContinue: boolean
  /** Whether the stream of the body was destroyed, so that it can't be read to its end. */
  isDestroyed: boolean
}

/** Whether to read the rest of the body, so that the connection can take the next request, or to close the connection. */
export function drainOrClose(request: UnreadRequest, bounds: UnreadBounds): 'drain' | 'close' {
  const { leftBytes, awaitsContinue, isDestroyed } = request
  if (awaitsContinue || isDestroyed || leftBytes === null) return 'close'
  return leftBytes <= bounds.keepAliveBytes ? 'drain' : 'close'
}
