import { tokensOf } from '../chat/tokens.ts'
import type { StoredContext } from '../context.ts'
import { upstreamOf } from './upstream-of.ts'
import type { BatchUsage, StoredRow } from './store.ts'
import { withId } from './view.ts'

const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'expired', 'cancelled'])
/** Members of a batch that name the files of its results. */
const RESULTS = ['output_file_id', 'error_file_id'] as const
const MAX_REQUESTS = 1_000_000

/** Writes what an upstream says of a batch: the files of its results become the account's, and its end is counted once. */
export async function followBatch(
  { store, upstreams }: StoredContext,
  row: StoredRow,
  view: StoredRow['view'],
  signal: AbortSignal,
): Promise<void> {
  const tenant = { accountId: row.account_id, livemode: row.livemode }
  for (const member of RESULTS) {
    const id = view[member]
    if (typeof id !== 'string' || (await store.find(tenant, 'file', id)) !== undefined) continue
    const path = `files/${encodeURIComponent(id)}`
    const file = withId(await upstreamOf(upstreams, row).send({ method: 'GET', path }, signal))
    const { upstream, model } = row
    await store.addResult(tenant, { kind: 'file', object_id: file.id, upstream, model, view: file })
  }
  await store.update(row, { view, usage: ENDED.has(view['status']) ? usageOf(view) : undefined })
}

/** Reads what a batch used. An upstream that does not report its tokens leaves its requests without them. */
function usageOf(view: StoredRow['view']): BatchUsage {
  const counts: Partial<Record<string, unknown>> = { ...Object(view['request_counts']) }
  const completed = counts['completed']
  const isCount = typeof completed === 'number' && Number.isInteger(completed)
  return { requests: isCount ? Math.min(Math.max(completed, 0), MAX_REQUESTS) : 0, tokens: tokensOf(view) }
}
