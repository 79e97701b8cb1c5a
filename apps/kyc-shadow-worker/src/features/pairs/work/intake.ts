import { BlobError } from '@vaani/service-kit/blobs/blob-store'
import type { Db } from '@vaani/service-kit/database/connect'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { repeat } from '@vaani/service-kit/lifecycle/repeat'
import { VaultError } from '@vaani/service-kit/vault/vault'
import { LRUCache } from 'lru-cache'
import { ZodError } from 'zod'
import type { Spool } from '../../../spool/spool.ts'
import type { PairEvent } from '../events.ts'
import type { PairMetrics } from '../metrics.ts'
import type { StartPair } from './start-pair.ts'

/** What the spool held when it was last listed. */
export interface SpoolSize {
  readonly submissions: number
  readonly bytes: number
}

export async function measureSpool(spool: Spool): Promise<SpoolSize> {
  const size = { submissions: 0, bytes: 0 }
  for await (const { kind, bytes } of spool.list()) {
    size.bytes += bytes
    if (kind === 'entry') size.submissions++
  }
  return size
}

/** Takes submissions in from the spool: each becomes a row. */
export interface Intake extends BackgroundWorker {
  /** Takes in now what the spool holds. */
  takeIn(): Promise<void>
  size(): SpoolSize
}

const POLL_MS = 1000
/** A long spool is listed less often, so that listing it takes at most a tenth of the time. */
const PAUSE_PER_LISTING = 10
const BATCH = 100
/** Entries that are known to be taken in, so that a long spool costs no query at each poll. */
const MOST_KNOWN = 100_000

export function startIntake(options: {
  spool: Spool
  database: Db
  startPair: StartPair
  events: Events<PairEvent>
  metrics: PairMetrics
  log: Logger
}): Intake {
  const { spool, database, startPair, events, metrics, log } = options
  const known = new LRUCache<string, true>({ max: MOST_KNOWN })
  const stopping = new AbortController()
  let size: SpoolSize = { submissions: 0, bytes: 0 }
  let listingMs = 0

  async function takeInOne(pairId: string): Promise<void> {
    try {
      await startPair(await spool.readEntry(pairId))
    } catch (error) {
      // Another process has sent it and removed it.
      if (error instanceof BlobError && error.code === 'not_found') return
      if (!isDamage(error)) throw error
      await spool.remove(pairId)
      metrics.damaged.add({})
      events.record('pair_entry_damaged', { pair_id: pairId })
    }
    known.set(pairId, true)
  }

  async function takeInBatch(pairIds: readonly string[]): Promise<void> {
    const rows = await database
      .selectFrom('pairs')
      .where('pair_id', 'in', pairIds)
      .select(['pair_id', 'outcome'])
      .execute()
    const outcomes = new Map(rows.map(({ pair_id, outcome }) => [pair_id, outcome]))
    for (const pairId of pairIds) {
      if (stopping.signal.aborted) return
      const outcome = outcomes.get(pairId)
      if (outcome === undefined) await takeInOne(pairId)
      // A process died after the pair had ended, and before it removed this.
      else if (outcome !== 'waiting') await spool.remove(pairId)
      else known.set(pairId, true)
    }
  }

  async function takeIn(): Promise<void> {
    const startMs = performance.now()
    const listed = await list(spool)
    size = listed.size
    listingMs = performance.now() - startMs
    const fresh = listed.pairIds.filter((pairId) => !known.has(pairId))
    for (let index = 0; index < fresh.length && !stopping.signal.aborted; index += BATCH)
      await takeInBatch(fresh.slice(index, index + BATCH))
  }

  const repeater = repeat({
    name: 'shadow_intake',
    everyMs: POLL_MS,
    async run() {
      await takeIn()
      return Math.max(POLL_MS, listingMs * PAUSE_PER_LISTING)
    },
    onError: (error) => log.warn({ error }, 'Submissions are waiting in the spool'),
  })
  return {
    name: repeater.name,
    isWorking: repeater.isWorking,
    takeIn,
    size: () => size,
    async stop({ timeOver }) {
      stopping.abort()
      await endOf(repeater.stop(), timeOver)
    },
  }
}

/** Lists the submissions of a spool, the oldest first: ids sort by time. */
async function list(spool: Spool): Promise<{ pairIds: string[]; size: SpoolSize }> {
  const pairIds: string[] = []
  let bytes = 0
  for await (const file of spool.list()) {
    bytes += file.bytes
    if (file.kind === 'entry') pairIds.push(file.pairId)
  }
  return { pairIds: pairIds.toSorted(), size: { submissions: pairIds.length, bytes } }
}

/** Whether an entry can never be read, unlike one whose store is away. */
const isDamage = (error: unknown): boolean =>
  error instanceof VaultError ||
  error instanceof ZodError ||
  error instanceof SyntaxError ||
  (error instanceof BlobError && error.code === 'too_large')
