import type { Clock } from '../clock.ts'
import { connectRedis, isFaultOfOurs, type RedisConnection, within } from './redis-connection.ts'

export type LimiterState = 'redis' | 'memory'

const TIMEOUT_MS = 250
/** While the store is down, one request per interval probes it. */
const PROBE_INTERVAL_MS = 1000

/** Redis, while it is available. */
export interface RedisStore {
  /**
   * Returns Redis's reply, or `away` if it is down.
   *
   * @throws errors that are bugs of ours, not outages of Redis
   */
  ask<T>(question: (redis: RedisConnection) => Promise<T>): Promise<T | 'away'>
  /** Number of the current connection. It increases with each one, because Redis may have lost its data in between. */
  connection(): number
  onReturn(listener: () => void): void
  close(): void
}

export interface RedisStoreOptions {
  url: string
  clock: Clock
  onStateChange: (state: LimiterState) => void
  /** Lua that sets `now` in microseconds, instead of the clock of Redis. */
  redisClock?: string
  /** A slower Redis counts as down, because limits must not slow requests down. 250 by default. */
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
