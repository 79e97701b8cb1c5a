import { createClient, defineScript } from 'redis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../clock.ts'
import { toGcraResult } from './gcra.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import type { Bucket, RateLimiter, RateLimitResult } from './rate-limiter.ts'

export type LimiterState = 'redis' | 'memory'

const MS_PER_SECOND = 1000
/** A store that is slower than this is taken to be away: a limit must not be what makes a request slow. */
const TIMEOUT_MS = 250
const RECONNECT_MAX_MS = 2000

/**
 * `gcra.ts` in Redis: takes one, and answers whether it was allowed and how far ahead the bucket is then, in
 * microseconds, as Redis cuts numbers to integers. Time is that of Redis, so that all processes share one clock.
 */
const GCRA_SCRIPT = `
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local interval = tonumber(ARGV[1])
local period = tonumber(ARGV[2])
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local next = tat + interval
if next - now > period then return {0, tat - now} end
redis.call('SET', KEYS[1], string.format('%.0f', next), 'PX', math.ceil((next - now) / 1000))
return {1, next - now}`

function connect(url: string) {
  return createClient({
    url,
    // Commands fail at once while there is no connection, and are not kept for later.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 1000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT_MAX_MS),
    },
    commandOptions: { timeout: TIMEOUT_MS },
    scripts: {
      gcra: defineScript({
        SCRIPT: GCRA_SCRIPT,
        NUMBER_OF_KEYS: 1,
        parseCommand(parser, key: string, intervalMicros: number, periodMicros: number) {
          parser.pushKey(key)
          parser.push(String(intervalMicros), String(periodMicros))
        },
        transformReply: ([allowed = 0, aheadMicros = 0]: number[]) => ({
          allowed: allowed === 1,
          aheadMs: aheadMicros / 1000,
        }),
      }),
    },
  })
}

/** Counts in Redis, for all processes together; while it is away, each process counts for itself. */
export async function createRedisRateLimiter(options: {
  url: string
  clock: Clock
  onStateChange: (state: LimiterState) => void
}): Promise<RateLimiter> {
  const { url, clock, onStateChange } = options
  const memory = createMemoryRateLimiter(clock)
  const client = connect(url)
  const windows = new Map<string, RateLimiterRedis>()
  let state: LimiterState = 'redis'
  const setState = (next: LimiterState) => {
    if (state === next) return
    state = next
    onStateChange(next)
  }
  // The state is set by what commands meet; a lost connection alone is retried by the client.
  client.on('error', () => setState('memory'))
  client.on('ready', () => setState('redis'))
  await Promise.race([client.connect().then(() => undefined), waitForState(client)])

  function windowOf({ name, limit, periodSeconds }: Bucket): RateLimiterRedis {
    const id = `${name}:${limit}:${periodSeconds}`
    const known = windows.get(id)
    if (known) return known
    const created = new RateLimiterRedis({
      storeClient: client,
      useRedisPackage: true,
      keyPrefix: `limit:${name}`,
      points: limit,
      duration: periodSeconds,
    })
    windows.set(id, created)
    return created
  }

  async function takeWindow(bucket: Bucket, subject: string): Promise<RateLimitResult> {
    const answer = await windowOf(bucket)
      .consume(subject)
      .catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) return refused
        throw refused
      })
    const allowed = answer.consumedPoints <= bucket.limit
    const resetSeconds = Math.ceil(answer.msBeforeNext / MS_PER_SECOND)
    return {
      allowed,
      remaining: Math.max(0, bucket.limit - answer.consumedPoints),
      resetSeconds,
      retryAfterSeconds: allowed ? 0 : Math.max(1, resetSeconds),
    }
  }

  async function takeGcra(bucket: Bucket, subject: string): Promise<RateLimitResult> {
    const periodMicros = bucket.periodSeconds * 1e6
    const key = `gcra:${bucket.name}:${subject}`
    return toGcraResult(bucket, await client.gcra(key, periodMicros / bucket.limit, periodMicros))
  }

  return {
    async check(bucket, subject) {
      if (client.isReady)
        try {
          const result = await (bucket.algorithm === 'gcra'
            ? takeGcra(bucket, subject)
            : takeWindow(bucket, subject))
          setState('redis')
          return result
        } catch {
          // Whatever it was, the request is counted here instead; the change of state is what operators see.
          setState('memory')
        }
      else setState('memory')
      return memory.check(bucket, subject)
    },
    async close() {
      client.destroy()
      await memory.close()
    },
  }
}

/** A server starts without Redis as well; the connection is then made later. */
async function waitForState(client: ReturnType<typeof connect>): Promise<void> {
  await new Promise<void>((resolve) => {
    client.once('ready', resolve)
    client.once('error', () => resolve())
  })
}
