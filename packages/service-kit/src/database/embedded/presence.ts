import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'

const PRESENCE = 'vaani-presence'
const CONNECT_TIMEOUT_MS = 1000
/** A server that does not answer by then is not asked who uses it. */
const QUERY_TIMEOUT_MS = 2000

/** All that libpq's variables (PGPORT, PGSSLMODE) could otherwise set. */
export interface SocketConnection {
  host: string
  port: number
  user: string
  database: string
  ssl: false
}

export const connectionOn = (socket: string): SocketConnection => ({
  host: socket,
  port: 5432,
  user: 'postgres',
  database: 'postgres',
  ssl: false,
})

/**
 * A session that says to other processes that this one uses the server. It is apart from the pools, as those close
 * theirs when they are idle.
 */
export interface Presence {
  /** Resolves when the session has ended: the server died, restarts after a crash of one of its processes, or we left. */
  ended: Promise<void>
  /** Ends it, and says whether the server runs and no other process is there. */
  leave(): Promise<{ last: boolean }>
}

/** Undefined if no server answers yet, or it is stopping. */
export async function announcePresence(connection: SocketConnection): Promise<Presence | undefined> {
  const name = `${PRESENCE} ${randomUUID()}`
  const socket = new Socket()
  const client = await connect({ ...connection, application_name: name, stream: () => socket })
  if (!client) return undefined
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  // Not what keeps a process running.
  socket.unref()
  return {
    ended,
    async leave() {
      socket.ref()
      // If the server was lost meanwhile, somebody may have started it again.
      const others = (await askForOthers(client, name)) ?? (await askAnew(connection, name))
      return { last: others === 'none' }
    },
  }
}

async function connect(options: pg.ClientConfig): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...options,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  })
  // The loss of the server is met by what uses it, and by the next question here.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch {
    // Whatever it says, it cannot be used yet.
    await client.end()
    return undefined
  }
}

async function askAnew(connection: SocketConnection, name: string) {
  const client = await connect(connection)
  return client && askForOthers(client, name)
}

/** Undefined if the server does not answer. */
async function askForOthers(client: pg.Client, name: string): Promise<'none' | 'some' | undefined> {
  try {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where starts_with(application_name, $1) and application_name <> $2 limit 1`,
      [PRESENCE, name],
    )
    return rows.length === 0 ? 'none' : 'some'
  } catch {
    return undefined
  } finally {
    await client.end()
  }
}
