import { setTimeout as delay } from 'node:timers/promises'
import type { Boss } from '@vaani/service-kit/jobs/boss'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { RateLimiter } from '@vaani/service-kit/limits/rate-limiter'
import type { FlagPort } from '../../flag/port.ts'
import type { SendOne } from './send.ts'
import { queueSend, SEND_QUEUE, type SendJob } from './send-queue.ts'

/** How soon a job notices that the kill switch is free again. */
const SWITCH_POLL_MS = 250
const POLL_SECONDS = 0.5
/** Longest wait in the process; a longer one goes back to the queue. */
const LONGEST_WAIT_MS = 2000

/** Works on the jobs that send submissions: at most so many at a time and in a second, and none while the kill switch is engaged. */
export async function workOnSends(options: {
  boss: Boss
  flag: FlagPort
  limiter: RateLimiter
  sendsPerSecond: number
  concurrency: number
  send: SendOne
}): Promise<BackgroundWorker> {
  const { boss, flag, limiter, sendsPerSecond, concurrency, send } = options
  const stopping = new AbortController()
  const cut = new AbortController()
  const running = new Set<Promise<void>>()
  const rate = { name: 'shadow_sends', limit: sendsPerSecond, periodSeconds: 1 }

  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal })

  async function waitForTurn(): Promise<void> {
    for (;;) {
      while (flag.current().isKilled) await pause(SWITCH_POLL_MS)
      const { allowed, resetSeconds } = await limiter.check(rate, 'all')
      if (allowed) return
      await pause(resetSeconds * 1000)
    }
  }

  async function work({ pair_id }: SendJob): Promise<void> {
    for (;;) {
      await waitForTurn()
      const afterMs = await send(pair_id, cut.signal)
      if (afterMs === null) return
      if (afterMs > LONGEST_WAIT_MS) return queueSend(boss, { pair_id }, { afterMs })
      await pause(afterMs)
    }
  }

  await boss.work<SendJob>(
    SEND_QUEUE,
    {
      batchSize: 1,
      localConcurrency: concurrency,
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
      burstWhenBatchFull: true,
    },
    async (jobs) => {
      for (const { data } of jobs) {
        const task = work(data)
        const settled = task.catch(() => undefined)
        running.add(settled)
        // A rejection gives the job back to the queue.
        await task.finally(() => running.delete(settled))
      }
    },
  )
  return {
    name: 'shadow_sends',
    isWorking: () => true,
    async stop({ graceOver, timeOver }) {
      stopping.abort()
      const off = boss.offWork(SEND_QUEUE, { wait: false })
      await endOf(Promise.all(running), graceOver)
      cut.abort()
      await endOf(Promise.all([off, ...running]), timeOver)
    },
  }
}
