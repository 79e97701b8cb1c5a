import type { UnreadBounds } from './bounds.ts'

/** What the head of an answer finds of its request. */
export interface UnreadRequest {
  /** Bytes of the body that have not come yet, at most; null if only its end will say. */
  leftBytes: number | null
  /** Whether the caller waits for a 100 that was not sent: it may then send the body or leave it out. */
  awaitsContinue: boolean
  /** Whether somebody gave up the stream of the body, which can then not be read to its end. */
  isAbandoned: boolean
}

/** Whether the rest of a body is read, for the next request, or the connection closed. */
export function chooseFate(request: UnreadRequest, bounds: UnreadBounds): 'drain' | 'close' {
  const { leftBytes, awaitsContinue, isAbandoned } = request
  if (awaitsContinue || isAbandoned || leftBytes === null) return 'close'
  return leftBytes <= bounds.keepAliveBytes ? 'drain' : 'close'
}
