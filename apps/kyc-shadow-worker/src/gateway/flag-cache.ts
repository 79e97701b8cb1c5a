import type { Stage } from '@vaani/contracts/migration'
import type { PublishedFlag } from '../published-flag/published-flag.ts'

/** Read twice a second, so that a change is in effect everywhere within two seconds, even if one read fails. */
const INTERVAL_MS = 500
/** A read that takes longer is given up, so that one that never ends cannot freeze the flag. */
const READ_LIMIT_MS = 5000

/** That of a worker's first flag. */
const FIRST_EPOCH = 1

/** The flag as a gateway acts on it. */
export interface GatewayFlag {
  readonly stage: Stage
  readonly isKilled: boolean
  /** Which evidence submissions belong to from now on. */
  readonly epoch: number
}

export interface FlagCache {
  current(): GatewayFlag
  /** Milliseconds since the last flag that was read; null before the first. */
  ageMs(): number | null
  /** Reads the flag once. Never rejects. */
  refresh(): Promise<void>
  /** Reads the flag again and again until `stop`. */
  start(): void
  stop(): void
}

export interface FlagCacheOptions {
  /** Reads what a worker published; null before the first. */
  read(): Promise<PublishedFlag | null>
  /** Whether somebody has put the kill file into the data directory. */
  hasKillFile(): Promise<boolean>
  initialStage: Stage
  /** Whether the environment engages the kill switch. */
  isKilled: boolean
  nowMs?: () => number
}

/**
 * Keeps the last flag that was published in memory, so that the gateway goes on as before if the store that it is published in
 * goes. Ignores flags that are older than the one it has, which a store may still return for a while.
 */
export function createFlagCache(options: FlagCacheOptions): FlagCache {
  const { initialStage, nowMs = () => performance.now() } = options
  let published: PublishedFlag | null = null
  let readAtMs: number | null = null
  let hasKillFile = false
  const timers = new Set<NodeJS.Timeout>()
  let isStopped = false

  function accept(found: PublishedFlag | null): void {
    if (found === null) return
    readAtMs = nowMs()
    if (published === null || found.revision >= published.revision) published = found
  }

  const reads = [
    () => within(options.read().then(accept)),
    () => within(options.hasKillFile().then((found) => void (hasKillFile = found))),
  ]

  /** A loop of its own for each, so that a store that hangs does not delay the kill file. */
  async function repeat(read: () => Promise<void>): Promise<void> {
    await read()
    if (isStopped) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void repeat(read)
    }, INTERVAL_MS)
    timers.add(timer)
  }

  return {
    current: () => ({
      stage: published?.stage ?? initialStage,
      isKilled: options.isKilled || hasKillFile || (published?.isKilled ?? false),
      epoch: published?.epoch ?? FIRST_EPOCH,
    }),
    ageMs: () => (readAtMs === null ? null : nowMs() - readAtMs),
    refresh: async () => void (await Promise.all(reads.map((read) => read()))),
    start() {
      for (const read of reads) void repeat(read)
    },
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** Waits until work has settled, but not longer than the limit. Never rejects: the last known flag stays in effect. */
async function within(work: Promise<void>): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const timer = setTimeout(limit.resolve, READ_LIMIT_MS)
  await Promise.race([work.catch(() => undefined), limit.promise])
  clearTimeout(timer)
}
