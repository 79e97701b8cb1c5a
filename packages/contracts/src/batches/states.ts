import type { Actor, EventOf, TransitionTable } from '../shared/state-machine.ts'

export const BATCH_STATUSES = ['queued', 'running', 'completed', 'failed', 'canceled'] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

export const BATCH_TRANSITIONS = {
  queued: { started: 'running', canceled: 'canceled', failed: 'failed' },
  running: { finished: 'completed', canceled: 'canceled', failed: 'failed' },
  completed: {},
  failed: {},
  canceled: {},
} as const satisfies TransitionTable<BatchStatus>
/** Why a batch failed. The failure of a request fails no batch. */
export const BATCH_FAILURE_REASONS = ['expired'] as const
export type BatchFailureReason = (typeof BATCH_FAILURE_REASONS)[number]

export type BatchEventName = EventOf<typeof BATCH_TRANSITIONS>

/** Actor that may cause each event of a batch. */
export const BATCH_EVENT_ACTORS = {
  started: 'holder',
  finished: 'holder',
  failed: 'holder',
  canceled: 'person',
} as const satisfies Record<BatchEventName, Actor>
