import type { UnreadBounds } from './bounds.ts'

/** The state of a request whose response is sent before its body has arrived. */
export interface UnreadRequest {
  /** Upper bound on the bytes of the body still to arrive; null if it is chunked. */
  leftBytes: number | null
  /** Whether the caller waits for a 100 that was not sent. After another response it may send the body or omit it. */
  awaitsContinue: boolean
  /** Whether the body stream was destroyed, so that it cannot be read to its end. */
  isDestroyed: boolean
}

/** Decides whether to read the rest of the body, so that the connection can be reused, or to close the connection. */
export function drainOrClose(request: UnreadRequest, bounds: UnreadBounds): 'drain' | 'close' {
  const { leftBytes, awaitsContinue, isDestroyed } = request
  if (awaitsContinue || isDestroyed || leftBytes === null) return 'close'
  return leftBytes <= bounds.keepAliveBytes ? 'drain' : 'close'
}
