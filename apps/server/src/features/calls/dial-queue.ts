import type { Queues } from '@vaani/service-kit/jobs/boss'

export const DIAL_QUEUE = 'calls.dial'

export interface DialJob {
  call_id: string
  /** Not in jobs from before accounts took turns: the sweep for overdue calls dials those. */
  account_id?: string
}

export const dialQueues: Queues = {
  [DIAL_QUEUE]: {
    notify: true,
    retryLimit: 5,
    retryDelay: 1,
    // A job ends once its call is taken; past the heartbeat another worker gets it.
    heartbeatSeconds: 10,
    expireInSeconds: 900,
  },
}
