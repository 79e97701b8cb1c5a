import type { Tx } from '@vaani/service-kit/database/connect'
import type { Boss, Queues } from '@vaani/service-kit/jobs/boss'
import { CompiledQuery } from 'kysely'

export const SEND_QUEUE = 'shadow-send'

export interface SendJob {
  pair_id: string
}

/** Longer than media is kept, because jobs wait while the kill switch is engaged. */
const EXPIRE_SECONDS = 23 * 3600

export const sendQueues: Queues = {
  [SEND_QUEUE]: {
    notify: true,
    // A job fails only if the database or the spool does. The age of the media is its end.
    retryLimit: 1000,
    retryDelay: 2,
    retryDelayMax: 60,
    retryBackoff: true,
    // If the heartbeat stops, another worker gets the job.
    heartbeatSeconds: 10,
    expireInSeconds: EXPIRE_SECONDS,
  },
}

/** Sends the job of a pair, in a transaction if one is given. */
export async function queueSend(
  boss: Boss,
  job: SendJob,
  { tx, afterMs = 0 }: { tx?: Tx; afterMs?: number } = {},
): Promise<void> {
  await boss.send(SEND_QUEUE, job, {
    ...(tx && {
      db: {
        executeSql: async (text: string, values: unknown[] = []) => ({
          rows: (await tx.executeQuery(CompiledQuery.raw(text, values))).rows,
        }),
      },
    }),
    ...(afterMs > 0 && { startAfter: Math.ceil(afterMs / 1000) }),
  })
}
