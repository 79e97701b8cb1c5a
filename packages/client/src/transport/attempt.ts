import type { ErrorContext } from '../errors.ts'
import type { Bounds } from './bounded.ts'
import type { Clock } from './clock.ts'
import type { Route } from './route.ts'

/** An attempt before it starts. */
export interface PlannedAttempt {
  readonly route: Route
  readonly url: string
  readonly clock: Clock
  readonly startedAtMs: number
  readonly idleTimeoutMs: number
  /** Includes the request id once there is a response. */
  context: ErrorContext
  response?: Response
}

/** An attempt in flight, with the means to end it. */
export type Attempt = PlannedAttempt & Bounds

/** An attempt with a response, whose body may still be unread. */
export type Received = Attempt & { readonly response: Response }
