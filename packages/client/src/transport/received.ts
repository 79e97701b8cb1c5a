import { type ErrorContext, TruncatedStreamError } from '../errors.ts'
import type { Clock } from './clock.ts'
import type { Interruption } from './interruption.ts'
import type { Route } from './route.ts'

/** A success whose body is not read yet, and what bounds the reading. */
export interface Received {
  readonly route: Route
  readonly response: Response
  readonly context: ErrorContext
  readonly interruption: Interruption
  readonly idleTimeoutMs: number
  readonly clock: Clock
}

/** What ended the reading of a body: the end of its try, or that of the body before it was whole. */
export const readingFailure = ({ context, interruption: { signal } }: Received, cause?: unknown): unknown =>
  signal.aborted ? signal.reason : new TruncatedStreamError({ ...context, cause })
