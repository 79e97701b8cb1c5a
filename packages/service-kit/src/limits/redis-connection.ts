import { createClient, defineScript, ErrorReply } from 'redis'
import { redisScripts } from './redis-scripts.ts'

const CONNECT_TIMEOUT_MS = 1000
const RECONNECT_MAX_MS = 2000

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

function createConnection(url: string, clock?: string) {
  const scripts = redisScripts(clock)
  return createClient({
    url,
    // Commands fail at once while there is no connection, and are not kept for later.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT_MAX_MS),
    },
    scripts: {
      take: define(scripts.take, ([allowed = 0, remaining = 0, resetMicros = 0]) => ({
        allowed: allowed === 1,
        remaining,
        resetMicros,
      })),
      enter: define(scripts.enter, ([taken = 0, remaining = 0]) => ({ taken: taken === 1, remaining })),
      renew: define(scripts.renew, () => undefined),
    },
  })
}

/**
 * Connects, and reports each loss and return. A server starts without Redis as well: the connection is then made later,
 * as soon as it can be.
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
  // It is retried for ever, and rejects only when it is destroyed before it is made.
  connection.connect().catch(onAway)
  if ((await within(firstOutcome, CONNECT_TIMEOUT_MS)) === 'late') onAway()
  return connection
}

/**
 * The value, or `late`: the client's own timeout no longer counts once a command is sent. An answer that arrived while
 * this process was busy is read first, as it was not Redis that was late.
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
/** A script that does not run, or a key that holds something else; LOADING, READONLY and the like are Redis's state. */
const FAULT_REPLIES = /^(ERR|WRONGTYPE|NOSCRIPT)\b/

/** Whether an error says that our code is wrong, and not that Redis is away. */
export function isFaultOfOurs(error: unknown): boolean {
  return error instanceof ErrorReply
    ? FAULT_REPLIES.test(error.message)
    : FAULTS.some((fault) => error instanceof fault)
}
