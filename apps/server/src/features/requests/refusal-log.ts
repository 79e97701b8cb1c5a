import type { Clock } from '@vaani/service-kit/clock'
import type { OnRefusal, Refusal } from '@vaani/service-kit/http/refusals/describe-refusal'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { LIMITS } from '@vaani/contracts'
import type { RequestMetrics } from './metrics.ts'
import type { RefusalRow, RefusalStore } from './store.ts'

/** Gathers refusals in memory, and writes them once a second. */
export interface RefusalLog {
  note: OnRefusal
  /** Writes what was noted so far. Never rejects: what cannot be written is tried again with the next write. */
  flush(): Promise<void>
  /** Writes the rest. */
  close(): Promise<void>
}

/** What the death of the process loses at most, and how long a list may lag. */
const WRITE_AFTER_MS = 1000
const MINUTE_MS = 60_000
/** Refusals that wait to be written. More drop the oldest. */
export const MOST_WAITING = 5000

export function createRefusalLog(options: {
  store: Pick<RefusalStore, 'write'>
  /** Keeps of the field at fault only what is no text of the caller. */
  filterField: (operation: string, param: string | null) => string | null
  clock: Clock
  makeId: IdMaker
  log: Logger
  metrics: RequestMetrics
}): RefusalLog {
  const { store, filterField, log, metrics } = options
  const keep = createKeeper(options)
  let waiting = new Map<string, RefusalRow>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isClosed = false
  let hasFailed = false

  function wait(rows: readonly RefusalRow[]): void {
    for (const row of rows) waiting.set(row.refusal_id, row)
    for (const id of waiting.keys()) {
      if (waiting.size <= MOST_WAITING) break
      waiting.delete(id)
      metrics.dropped.add({})
    }
    if (!isClosed) timer ??= setTimeout(flush, WRITE_AFTER_MS)
  }

  async function write(): Promise<void> {
    const rows = [...waiting.values()]
    waiting = new Map()
    if (rows.length === 0) return
    try {
      await store.write(rows.map((row) => ({ ...row, param: filterField(row.operation, row.param) })))
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ error, count: rows.length }, 'Refused requests could not be written')
      hasFailed = true
      const later = [...waiting.values()]
      waiting = new Map()
      wait([...rows, ...later])
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = (writing ?? Promise.resolve()).then(write)
    return writing
  }

  return {
    note: (refusal) => wait([keep(refusal)]),
    flush,
    async close() {
      isClosed = true
      await flush()
      metrics.dropped.add({}, waiting.size)
    },
  }
}

/**
 * Returns a function that makes the row of a refusal. Of an account and mode, only the first of a minute have a row each; the last of
 * these counts the others.
 */
function createKeeper({
  clock,
  makeId,
}: {
  clock: Clock
  makeId: IdMaker
}): (refusal: Refusal) => RefusalRow {
  let minute = 0
  let kept = new Map<string, { count: number; last: RefusalRow }>()
  return (refusal) => {
    const nowMs = clock.nowMs()
    if (Math.floor(nowMs / MINUTE_MS) !== minute) {
      minute = Math.floor(nowMs / MINUTE_MS)
      kept = new Map()
    }
    const tenant = `${refusal.caller.accountId} ${refusal.caller.livemode}`
    const { count, last } = kept.get(tenant) ?? { count: 0, last: null }
    if (last !== null && count >= LIMITS.refusalsPerMinute) {
      last.omitted++
      return last
    }
    const row = toRow(refusal, makeId('refusal'), nowMs)
    kept.set(tenant, { count: count + 1, last: row })
    return row
  }
}

const toRow = (refusal: Refusal, refusalId: RefusalRow['refusal_id'], nowMs: number): RefusalRow => ({
  refusal_id: refusalId,
  account_id: refusal.caller.accountId,
  livemode: refusal.caller.livemode,
  request_id: refusal.requestId,
  key_id: refusal.caller.keyId,
  operation: refusal.operation,
  method: refusal.method,
  route: refusal.route.replaceAll(/:(\w+)/g, '{$1}'),
  status: refusal.status,
  code: refusal.code,
  param: refusal.param,
  duration_ms: refusal.durationMs,
  omitted: 0,
  created_at: new Date(nowMs),
})
