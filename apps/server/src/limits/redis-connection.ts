import { createClient, defineScript, ErrorReply } from 'redis'

const CONNECT_TIMEOUT_MS = 1000
const RECONNECT_MAX_MS = 2000

/**
 * `gcra.ts` in Redis: takes one, and answers whether it was allowed and how far ahead the bucket is then, in
 * microseconds. Time is that of Redis, so that all processes share one clock.
 */
const GCRA_SCRIPT = `
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local interval = tonumber(ARGV[1])
local burst = tonumber(ARGV[2])
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local next = tat + interval
if next - now > burst then return {0, tat - now} end
redis.call('SET', KEYS[1], string.format('%.0f', next), 'PX', math.ceil((next - now) / 1000))
return {1, next - now}`

export type RedisConnection = ReturnType<typeof createConnection>

function createConnection(url: string) {
  return createClient({
    url,
    // Commands fail at once while there is no connection, and are not kept for later.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT_MAX_MS),
    },
    scripts: {
      gcra: defineScript({
        SCRIPT: GCRA_SCRIPT,
        NUMBER_OF_KEYS: 1,
        parseCommand(parser, key: string, intervalMicros: number, burstMicros: number) {
          parser.pushKey(key)
          parser.push(String(intervalMicros), String(burstMicros))
        },
        transformReply: ([allowed = 0, aheadMicros = 0]: number[]) => ({
          allowed: allowed === 1,
          aheadMicros,
        }),
      }),
    },
  })
}

/**
 * Connects, and tells of each loss and return. A server starts without Redis as well: the connection is then made
 * later, as soon as it can be.
 */
export async function connectRedis(options: {
  url: string
  onAway: () => void
  onReady: () => void
}): Promise<RedisConnection> {
  const { url, onAway, onReady } = options
  const connection = createConnection(url)
  connection.on('error', onAway)
  connection.on('ready', onReady)
  const firstOutcome = new Promise<void>((resolve) => {
    connection.once('ready', resolve)
    connection.once('error', () => resolve())
  })
  // It is retried for ever, and rejects only when it is destroyed before it is made.
  connection.connect().catch(onAway)
  if ((await within(firstOutcome, CONNECT_TIMEOUT_MS)) === 'late') onAway()
  return connection
}

/** The value, or `late`: Redis's own timeout no longer counts once a command is sent. */
export async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, timeoutMs, 'late')))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError]
/** A script that does not run, or a key that holds something else; LOADING, READONLY and the like are Redis's state. */
const FAULT_REPLIES = /^(ERR|WRONGTYPE|NOSCRIPT)\b/

/** Whether an error says that our code is wrong, and not that Redis is away. */
export function isFaultOfOurs(error: unknown): boolean {
  return error instanceof ErrorReply
    ? FAULT_REPLIES.test(error.message)
    : FAULTS.some((fault) => error instanceof fault)
}
