/** Why a database, or the connection to it, does not work at the moment. All are temporary and never the caller's fault. */
export type Unavailability = 'away' | 'overloaded' | 'conflict' | 'read_only' | 'full' | 'refused'

/** The message to the caller, and when to retry. */
export const UNAVAILABILITY = {
  away: { message: 'A dependency of this server does not respond', retryAfterSeconds: 2 },
  overloaded: { message: 'The database is overloaded', retryAfterSeconds: 2 },
  conflict: { message: 'Another request changed the same data at the same time', retryAfterSeconds: 1 },
  read_only: { message: 'The database is currently read-only', retryAfterSeconds: 5 },
  full: { message: 'The database has no room left', retryAfterSeconds: 30 },
  refused: { message: 'The database refuses connections from this server', retryAfterSeconds: 30 },
} as const satisfies Record<Unavailability, { message: string; retryAfterSeconds: number }>

/** SQLSTATEs, or the two characters of a class (Postgres documentation, appendix A). */
const BY_SQLSTATE: Readonly<Record<string, Unavailability>> = {
  // Connection exceptions.
  '08': 'away',
  '25006': 'read_only',
  // Timeout of an idle transaction, and of a whole transaction.
  '25P03': 'away',
  '25P04': 'overloaded',
  // Invalid authorization: credentials were changed.
  '28': 'refused',
  // The database does not exist, e.g. while it is being restored or renamed.
  '3D000': 'refused',
  // Serialization failure, deadlock, and statement completion unknown.
  '40001': 'conflict',
  '40P01': 'conflict',
  '40003': 'away',
  // Insufficient resources: memory, connections, limits. A full disk has its own entry.
  '53': 'overloaded',
  '53100': 'full',
  '55P03': 'overloaded',
  // Canceled, mostly by the statement timeout.
  '57014': 'overloaded',
  // Shutdown by an administrator, crash, starting up or recovering, dropped, idle for too long.
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'away',
  '57P04': 'away',
  '57P05': 'away',
  // I/O error.
  '58030': 'away',
}

/** Error codes of the network and of sockets. */
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Error codes of `connect` on a Unix socket: its file does not exist, or the server's backlog is full. */
const SOCKET_FILE_CODES: ReadonlySet<string> = new Set(['ENOENT', 'EAGAIN'])

/** Errors of pg, its pool and kysely that have no code, only a message. */
const BY_MESSAGE: Readonly<Record<string, Unavailability>> = {
  'Connection terminated': 'away',
  'Connection terminated unexpectedly': 'away',
  'Connection terminated due to connection timeout': 'away',
  'timeout expired': 'away',
  'timeout exceeded when trying to connect': 'overloaded',
  'Query read timeout': 'away',
  'Client has encountered a connection error and is not queryable': 'away',
  'Client was closed and is not queryable': 'away',
  'Cannot use a pool after calling end on the pool': 'away',
  'Postgres connection has been discarded': 'away',
  'driver has already been destroyed': 'away',
  // A newer version of this server has changed the schema; the pool replaces the connection.
  'cached plan must not change result type': 'conflict',
}

/** Returns why an error ended a statement or a connection; null if the error is not an outage. */
export function unavailabilityOf(error: unknown): Unavailability | null {
  // If several addresses were tried, the first error counts.
  if (error instanceof AggregateError && error.errors.length > 0) return unavailabilityOf(error.errors[0])
  if (!(error instanceof Error)) return null
  const known = Object.hasOwn(BY_MESSAGE, error.message) ? BY_MESSAGE[error.message] : undefined
  if (known !== undefined) return known
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return null
  // Recognize a database error by its shape, because there may be several copies of the class.
  if ('severity' in error) return BY_SQLSTATE[code] ?? BY_SQLSTATE[code.slice(0, 2)] ?? null
  // Without a system call, the error is from an HTTP caller that hung up.
  if (syscall === undefined) return null
  if (SYSTEM_CODES.has(code)) return 'away'
  return syscall === 'connect' && SOCKET_FILE_CODES.has(code) ? 'away' : null
}
