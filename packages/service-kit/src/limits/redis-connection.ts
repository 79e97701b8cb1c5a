import { createClient, defineScript, ErrorReply } from 'redis'
import type { RateLimitResult } from './rate-limiter.ts'
import { redisScripts } from './redis-scripts.ts'

const CONNECT_TIMEOUT_MS = 1000
const RECONNECT_MAX_MS = 2000
const MICROS_PER_SECOND = 1_000_000

export type RedisConnection = ReturnType<typeof createConnection>

type Argument = string | number

const define = <Reply>(source: string, transformReply: (reply: number[]) => Reply) =>
  defineScript({
    SCRIPT: source,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, ...values: Argument[]) {
      parser.pushKey(key)
      parser.push(...values.map(String))
    },
    transformReply,
  })

const toRateResult = ([allowed = 0, remaining = 0, resetMicros = 0]: number[]): RateLimitResult => ({
  allowed: allowed === 1,
  remaining,
  resetSeconds: Math.ceil(resetMicros / MICROS_PER_SECOND),
})

function createConnection(url: string, clock?: string) {
  const scripts = redisScripts(clock)
  return createClient({
    url,
    // Without a connection, commands fail at once instead of being queued.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT_MAX_MS),
    },
    scripts: {
      take: define(scripts.take, toRateResult),
      peek: define(scripts.peek, toRateResult),
      enter: define(scripts.enter, ([taken = 0, remaining = 0]) => ({ taken: taken === 1, remaining })),
      renew: define(scripts.renew, () => undefined),
      count: define(scripts.count, ([used = 0]) => used),
    },
  })
}

/**
 * Connects to Redis, and reports each loss and return of the connection. A server can start without Redis; it then connects as
 * soon as possible.
 */
export async function connectRedis(options: {
  url: string
  clock: string | undefined
  onAway: () => void
  onReady: () => void
}): Promise<RedisConnection> {
  const { url, clock, onAway, onReady } = options
  const connection = createConnection(url, clock)
  connection.on('error', onAway)
  connection.on('ready', onReady)
  const firstOutcome = new Promise<void>((resolve) => {
    connection.once('ready', resolve)
    connection.once('error', () => resolve())
  })
  // `connect` retries forever, and rejects only if destroyed before it has connected.
  connection.connect().catch(onAway)
  if ((await within(firstOutcome, CONNECT_TIMEOUT_MS)) === 'late') onAway()
  return connection
}

/**
 * Returns the value, or `late` after a timeout. The client's own timeout ends once a command is sent. A reply that arrived
 * while this process was busy is still read first, because the delay was not Redis's.
 */
export async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>(
    (resolve) => (timer = setTimeout(() => setImmediate(resolve, 'late'), timeoutMs)),
  )
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError]
/** Replies to a broken script or a key of another type. Other errors, e.g. LOADING or READONLY, are states of Redis. */
const FAULT_REPLIES = /^(ERR|WRONGTYPE|NOSCRIPT)\b/

/** Whether an error is a bug of ours instead of an outage of Redis. */
export function isFaultOfOurs(error: unknown): boolean {
  return error instanceof ErrorReply
    ? FAULT_REPLIES.test(error.message)
    : FAULTS.some((fault) => error instanceof fault)
}
