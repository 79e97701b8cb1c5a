import type { DeadReason, DeliveryAttempt } from '@vaani/contracts'

/** The outcome of a delivery that a worker had in hand. */
export type Outcome =
  | { type: 'ended'; status: 'delivered'; attempt: DeliveryAttempt }
  | { type: 'ended'; status: 'dead'; reason: DeadReason; attempt: DeliveryAttempt | null }
  /** The attempt failed and is retried. */
  | { type: 'failed'; attempt: DeliveryAttempt; nextAttemptMs: number }
  /** The delivery cannot be sent now, or takes long. */
  | { type: 'waits'; nextAttemptMs: number }
