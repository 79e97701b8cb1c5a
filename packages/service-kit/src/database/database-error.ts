/** Why a database, or the way to it, cannot do its work at present. None is the caller's fault, and each may pass. */
export type Unavailability = 'away' | 'overloaded' | 'conflict' | 'read_only' | 'full' | 'refused'

/** What a caller is told of each, and when it may try again. */
export const UNAVAILABILITY = {
  away: { message: 'What this server depends on does not answer', retryAfterSeconds: 2 },
  overloaded: { message: 'The database has too much to do', retryAfterSeconds: 2 },
  conflict: { message: 'Another request changed the same data at the same moment', retryAfterSeconds: 1 },
  read_only: { message: 'The database takes no writes at present', retryAfterSeconds: 5 },
  full: { message: 'The database has no room left', retryAfterSeconds: 30 },
  refused: { message: 'The database does not let this server in', retryAfterSeconds: 30 },
} as const satisfies Record<Unavailability, { message: string; retryAfterSeconds: number }>

/** SQLSTATEs, or the two characters of a class (Postgres documentation, appendix A). */
const BY_SQLSTATE: Readonly<Record<string, Unavailability>> = {
  // Connection exceptions.
  '08': 'away',
  '25006': 'read_only',
  // The time of an idle transaction, and of a whole one, is over.
  '25P03': 'away',
  '25P04': 'overloaded',
  // Invalid authorization: credentials were changed.
  '28': 'refused',
  // There is no such database: it is restored or renamed.
  '3D000': 'refused',
  // Serialization failure, deadlock, and a statement of which nobody knows whether it was done.
  '40001': 'conflict',
  '40P01': 'conflict',
  '40003': 'away',
  // Insufficient resources: memory, connections, limits; the disk apart.
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

/** Of the network and of sockets. */
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
/** Of the socket's file, of which `connect` says that it is not there, or that its server has too many to accept. */
const SOCKET_FILE_CODES: ReadonlySet<string> = new Set(['ENOENT', 'EAGAIN'])

/** What pg, its pool and kysely say by their text only. */
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

/** Why an error ended a statement or a connection; null for a fault, which is no absence. */
export function unavailabilityOf(error: unknown): Unavailability | null {
  // Of several addresses the first stands for them.
  if (error instanceof AggregateError && error.errors.length > 0) return unavailabilityOf(error.errors[0])
  if (!(error instanceof Error)) return null
  const known = Object.hasOwn(BY_MESSAGE, error.message) ? BY_MESSAGE[error.message] : undefined
  if (known !== undefined) return known
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return null
  // By its shape: there may be several copies of the class.
  if ('severity' in error) return BY_SQLSTATE[code] ?? BY_SQLSTATE[code.slice(0, 2)] ?? null
  // Without a system call it is a caller that hung up.
  if (syscall === undefined) return null
  if (SYSTEM_CODES.has(code)) return 'away'
  return syscall === 'connect' && SOCKET_FILE_CODES.has(code) ? 'away' : null
}
