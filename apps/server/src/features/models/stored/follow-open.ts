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
export async function followOpenBatches(context: StoredContext): Promise<void> {
  const { store, clock, upstreams } = context
  const before = new Date(clock.nowMs() - KEPT_MS)
  const since = new Date(clock.nowMs() - ASKED_AGAIN_MS)
  // A process without the operator's file leaves them to others.
  const atOnce = upstreams.stored.size === 0 ? 0 : AT_ONCE
  let rows: StoredRow[]
  do {
    rows = await store.claimOpen(since, atOnce)
    await Promise.all(rows.map((row) => follow(context, row, before)))
  } while (rows.length > 0)
  while ((await store.forgetEnded(before)) > 0);
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
