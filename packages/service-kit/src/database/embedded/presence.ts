import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'

const PRESENCE = 'vaani-presence'
const CONNECT_TIMEOUT_MS = 1000
/** How long to wait for the server to report its other users. */
const QUERY_TIMEOUT_MS = 2000

/** Sets everything that libpq's variables (PGPORT, PGSSLMODE) could otherwise override. */
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
 * A session that shows other processes that this one uses the server. It is separate from the pools, because pools close
 * idle sessions.
 */
export interface Presence {
  /** Resolves when the session ends: the server died, restarts after a crash of one of its processes, or we left. */
  ended: Promise<void>
  /** Ends the session. `last` is true if the server is running and no other process uses it. */
  leave(): Promise<{ last: boolean }>
}

/** Opens the session; returns undefined if no server responds yet, or it is stopping. */
export async function announcePresence(connection: SocketConnection): Promise<Presence | undefined> {
  const name = `${PRESENCE} ${randomUUID()}`
  const socket = new Socket()
  const client = await connect({ ...connection, application_name: name, stream: () => socket })
  if (!client) return undefined
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  // The session must not keep the process running.
  socket.unref()
  return {
    ended,
    async leave() {
      socket.ref()
      // If the server was lost in the meantime, another process may have restarted it.
      const others = (await askForOthers(client, name)) ?? (await reconnectAndAsk(connection, name))
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
  // Users of the server, and the next query here, notice its loss themselves.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch {
    // Whatever the error, the server cannot be used yet.
    await client.end()
    return undefined
  }
}

async function reconnectAndAsk(connection: SocketConnection, name: string) {
  const client = await connect(connection)
  return client && askForOthers(client, name)
}

/** Returns undefined if the server does not respond. */
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
