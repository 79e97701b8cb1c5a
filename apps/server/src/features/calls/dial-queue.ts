import type { Queues } from '@vaani/service-kit/jobs/boss'

export const DIAL_QUEUE = 'calls.dial'

export interface DialJob {
  call_id: string
  /** Absent in jobs of versions before accounts took turns. The sweep for overdue calls dials their calls. */
  account_id?: string
}

export const dialQueues: Queues = {
  [DIAL_QUEUE]: {
    notify: true,
    retryLimit: 5,
    retryDelay: 1,
    // A job ends once its call is claimed. If the heartbeat stops, another worker gets the job.
    heartbeatSeconds: 10,
    expireInSeconds: 900,
  },
}
