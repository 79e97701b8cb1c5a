import type { Clock } from '../clock.ts'
import { connectRedis, isFaultOfOurs, type RedisConnection, within } from './redis-connection.ts'

export type LimiterState = 'redis' | 'memory'

const TIMEOUT_MS = 250
/** While the store does not answer, one question in this time asks whether it does again. */
const PROBE_INTERVAL_MS = 1000

/** Redis, when it is there. */
export interface RedisStore {
  /**
   * What Redis answers, or `away`.
   *
   * @throws what is a fault of ours, and no sign that Redis is away
   */
  ask<T>(question: (redis: RedisConnection) => Promise<T>): Promise<T | 'away'>
  /** Goes up with each connection: over another one Redis may have lost what it knew. */
  connection(): number
  onReturn(listener: () => void): void
  close(): void
}

export interface RedisStoreOptions {
  url: string
  clock: Clock
  onStateChange: (state: LimiterState) => void
  /** Lua that sets `now` in microseconds, in place of the clock of Redis. */
  redisClock?: string
  /** A Redis that is slower than this counts as away, because a limit must not make requests slow. Default: 250. */
  timeoutMs?: number | undefined
}

export async function createRedisStore(options: RedisStoreOptions): Promise<RedisStore> {
  const { url, clock, onStateChange, redisClock, timeoutMs = TIMEOUT_MS } = options
  const listeners: (() => void)[] = []
  let state: LimiterState = 'redis'
  let connection = 0
  let probeAtMs = 0

  function setState(next: LimiterState): void {
    if (state === next) return
    state = next
    onStateChange(next)
    if (next === 'memory') probeAtMs = clock.nowMs() + PROBE_INTERVAL_MS
    else for (const listener of listeners) listener()
  }

  const redis = await connectRedis({
    url,
    clock: redisClock,
    onAway: () => setState('memory'),
    onReady: () => {
      connection++
      setState('redis')
    },
  })

  function mayAsk(): boolean {
    if (!redis.isReady) return false
    if (state === 'redis') return true
    if (clock.nowMs() < probeAtMs) return false
    probeAtMs = clock.nowMs() + PROBE_INTERVAL_MS
    return true
  }

  return {
    async ask(question) {
      const answer = mayAsk() ? await answerOf(question(redis), timeoutMs) : 'away'
      setState(answer === 'away' ? 'memory' : 'redis')
      return answer
    },
    connection: () => connection,
    onReturn: (listener) => void listeners.push(listener),
    close: () => redis.destroy(),
  }
}

async function answerOf<T>(answer: Promise<T>, timeoutMs: number): Promise<T | 'away'> {
  try {
    const settled = await within(answer, timeoutMs)
    return settled === 'late' ? 'away' : settled
  } catch (error) {
    if (isFaultOfOurs(error)) throw error
    return 'away'
  }
}
