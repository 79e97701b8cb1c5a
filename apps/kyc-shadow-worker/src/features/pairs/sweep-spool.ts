import type { Clock } from '@vaani/service-kit/clock'
import { firstIdAt } from '@vaani/service-kit/ids'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Spool } from '../../spool/spool.ts'

/** Longer than a submission takes to arrive, whose media has no entry until then. */
const UNDER_WAY_MS = 900_000

/**
 * Removes media past its time, whatever became of its pair: that of submissions which never completed, because a process died, and
 * that of entries which nobody sent in time.
 */
export async function sweepSpool(options: {
  spool: Spool
  clock: Clock
  mediaMs: number
  log: Logger
}): Promise<void> {
  const { spool, clock, mediaMs, log } = options
  const nowMs = clock.nowMs()
  const listed = new Set<string>()
  const complete = new Set<string>()
  for await (const { pairId, kind } of spool.list()) {
    listed.add(pairId)
    if (kind === 'entry') complete.add(pairId)
  }
  // Ids begin with the time of the submission.
  const firstUnderWay = firstIdAt('pair', nowMs - UNDER_WAY_MS)
  const firstKept = firstIdAt('pair', nowMs - mediaMs)
  const old = Array.from(listed).filter(
    (pairId) => pairId < (complete.has(pairId) ? firstKept : firstUnderWay),
  )
  for (const pairId of old) await spool.remove(pairId)
  if (old.length > 0) log.info({ count: old.length }, 'Media past its time was removed from the spool')
}
