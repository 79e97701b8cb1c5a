import type { StoredContext } from '../context.ts'
import { followBatch } from './follow-batch.ts'
import type { StoredRow } from './store.ts'
import { isGone, upstreamOf } from './upstream-of.ts'
import { withId } from './view.ts'

const ASKED_AGAIN_MS = 300_000
const KEPT_MS = 30 * 86_400_000
const AT_ONCE = 8
const LIMIT_MS = 60_000

/** Asks about batches that have not ended, so that those whose accounts do not ask are counted too, and forgets old ones. */
export function followOpenBatches(context: StoredContext): () => Promise<void> {
  const { store, clock, upstreams } = context
  let after = ''

  /** Gives each free place to the account that has the fewest, so that slow upstreams of one do not hold up the others. */
  async function followAll(startedMs: number, before: Date): Promise<void> {
    const since = new Date(startedMs - ASKED_AGAIN_MS)
    const places = new Map<Promise<void>, string>()
    // Ends in time for other sweeps, which wait. The next round continues after the last account.
    while (clock.nowMs() < startedMs + ASKED_AGAIN_MS) {
      const room = AT_ONCE - places.size
      const rows = await store.claimOpen({ since, room, underWay: [...places.values()], after })
      if (rows.length === 0) break
      for (const row of rows) {
        after = row.account_id
        const followed = follow(context, row, before).finally(() => places.delete(followed))
        places.set(followed, row.account_id)
      }
      await Promise.race(places.keys())
    }
    await Promise.all(places.keys())
  }

  return async () => {
    const startedMs = clock.nowMs()
    const before = new Date(startedMs - KEPT_MS)
    // A process without the operator's file leaves them to others.
    if (upstreams.stored.size > 0) await followAll(startedMs, before)
    while ((await store.forgetEnded(before)) > 0);
  }
}

/** @param before a batch that began earlier and cannot be asked about is given up */
async function follow(context: StoredContext, row: StoredRow, before: Date): Promise<void> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    const request = { method: 'GET' as const, path: `batches/${row.object_id}` }
    const view = withId(await upstreamOf(context.upstreams, row).send(request, signal))
    await followBatch(context, row, view, signal)
  } catch (error) {
    if (isGone(error) || row.created_at < before)
      await context.store.update(row, { view: row.view, usage: { requests: 0, tokens: undefined } })
    else context.log.warn({ error }, 'A batch of an upstream could not be followed')
  }
}
