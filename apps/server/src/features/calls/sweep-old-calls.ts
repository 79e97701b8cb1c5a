import type { Clock } from '@vaani/service-kit/clock'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db } from '@vaani/service-kit/database/connect'
import { firstIdAt } from '@vaani/service-kit/ids'
import type { RecordingStore } from './recording-store.ts'

const DAY_MS = 86_400_000
const BATCH = 500

/**
 * Deletes calls that ended more than `retentionDays` ago, and their recordings. Ids begin with the time of placing, so the
 * primary key finds the candidates. Only calls scheduled far ahead are examined in vain.
 */
export async function sweepOldCalls(options: {
  database: Db
  recordings: RecordingStore
  clock: Clock
  retentionDays: number
}): Promise<void> {
  const { database, recordings, clock, retentionDays } = options
  const cutoffMs = clock.nowMs() - retentionDays * DAY_MS
  const cutoff = new Date(cutoffMs)
  let after = ''
  for (let found = BATCH; found === BATCH;) {
    const calls = await byIndex(database, (tx) =>
      tx
        .selectFrom('calls')
        .where('call_id', '>', after)
        .where('call_id', '<', firstIdAt('call', cutoffMs))
        .where('ended_at', '<', cutoff)
        .selectAll()
        .orderBy('call_id')
        .limit(BATCH)
        .execute(),
    )
    for (const call of calls) if (call.recording_key !== null) await recordings.erase(call)
    // Calls whose recording is still in the blob store keep their row until a later sweep.
    if (calls.length > 0)
      await database
        .deleteFrom('calls')
        .where(
          'call_id',
          'in',
          calls.map(({ call_id }) => call_id),
        )
        .where('recording_key', 'is', null)
        .execute()
    found = calls.length
    after = calls.at(-1)?.call_id ?? after
  }
}
