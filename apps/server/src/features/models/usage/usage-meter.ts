import type { Clock } from '@vaani/service-kit/clock'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { Tokens } from '../chat/tokens.ts'
import type { UsageRow, UsageStore } from './store.ts'

/** Counts what accounts use, and writes it once a second. */
export interface UsageMeter {
  /** Counts an answer. @param tokens undefined if the model did not report them */
  add(tenant: Tenant, model: string, tokens: Tokens | undefined): void
  /** Writes what is counted so far. Never rejects: what cannot be written is tried again with the next write. */
  flush(): Promise<void>
  /** Writes the rest. */
  close(): Promise<void>
}

/** What the death of the process loses at most, and how long a read may lag. */
const WRITE_AFTER_MS = 1000

export function createUsageMeter({
  store,
  clock,
  log,
}: {
  store: Pick<UsageStore, 'add'>
  clock: Clock
  log: Logger
}): UsageMeter {
  // One row per account, mode, model and day of a second, so it needs no other bound.
  let counted = new Map<string, UsageRow>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isClosed = false

  function count(row: UsageRow): void {
    const { tenant, day, model } = row
    const key = `${tenant.accountId} ${tenant.livemode} ${day} ${model}`
    const known = counted.get(key)
    if (known === undefined) counted.set(key, { ...row })
    else {
      known.requests += row.requests
      known.requests_without_usage += row.requests_without_usage
      known.prompt_tokens += row.prompt_tokens
      known.completion_tokens += row.completion_tokens
    }
    if (!isClosed) timer ??= setTimeout(flush, WRITE_AFTER_MS)
  }

  async function write(): Promise<void> {
    const rows = [...counted.values()]
    counted = new Map()
    if (rows.length === 0) return
    try {
      await store.add(rows)
    } catch (error) {
      log.warn({ error, count: rows.length }, 'Usage of models could not be written')
      for (const row of rows) count(row)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = (writing ?? Promise.resolve()).then(write)
    return writing
  }

  return {
    add({ accountId, livemode }, model, tokens) {
      count({
        tenant: { accountId, livemode },
        day: new Date(clock.nowMs()).toISOString().slice(0, 10),
        model,
        requests: 1,
        requests_without_usage: tokens === undefined ? 1 : 0,
        prompt_tokens: tokens?.prompt ?? 0,
        completion_tokens: tokens?.completion ?? 0,
      })
    },
    flush,
    async close() {
      isClosed = true
      await flush()
      if (counted.size > 0) log.error({ count: counted.size }, 'Usage of models was lost')
    },
  }
}
