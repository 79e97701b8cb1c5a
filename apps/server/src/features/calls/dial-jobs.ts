import type { Boss } from '@vaani/service-kit/jobs/boss'
import { DIAL_QUEUE, type DialJob } from './dial-queue.ts'
import type { CallDispatcher } from './dispatcher.ts'

/** Passes due calls to the dispatcher. */
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
