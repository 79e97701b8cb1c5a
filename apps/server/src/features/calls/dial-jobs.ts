import type { Boss, Queues } from '@vaani/service-kit/jobs/boss'
import type { CallDispatcher } from './dispatcher.ts'

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

/** Hands the calls whose time has come to the dispatcher. */
export async function workOnDialJobs(boss: Boss, dispatcher: CallDispatcher): Promise<void> {
  await boss.work<DialJob>(
    DIAL_QUEUE,
    {
      batchSize: 10,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5,
      burstWhenBatchFull: true,
    },
    async (jobs) => {
      await Promise.all(
        jobs.map(async ({ data: { call_id: callId, account_id: accountId } }) => {
          if (accountId !== undefined) await dispatcher.dispatch({ callId, accountId })
        }),
      )
    },
  )
}
