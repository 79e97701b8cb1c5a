import type { ErrorContext } from '../errors.ts'
import type { Bounds } from './bounded.ts'
import type { Clock } from './clock.ts'
import type { Route } from './route.ts'

/** What is known of a try before it begins. */
export interface PlannedAttempt {
  readonly route: Route
  readonly url: string
  readonly clock: Clock
  readonly startedAtMs: number
  readonly idleTimeoutMs: number
  /** Has the request id once there is an answer. */
  context: ErrorContext
  response?: Response
}

/** One try of a request as it goes, and how to end it. */
export type Attempt = PlannedAttempt & Bounds

/** A try that has an answer, whose body may not be read yet. */
export type Received = Attempt & { readonly response: Response }
