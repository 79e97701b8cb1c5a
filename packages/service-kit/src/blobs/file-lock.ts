import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** SQLite's codes if another process has the lock, or the file does not exist. */
const SQLITE_BUSY = 5
const SQLITE_CANTOPEN = 14

/**
 * An exclusive lock on a file. The kernel releases it when the process ends in any way. Unlike process ids, it works across
 * containers and on network volumes.
 *
 * Node has no API for such locks, but its built-in SQLite takes them (fcntl, LockFileEx). Nothing else of SQLite is used, and
 * the file stays empty. Do not open the file in another way, because closing it would release the lock (POSIX).
 */
export interface FileLock {
  release(): void
}

/** References to all locks, because garbage collection would release them. */
const held = new Set<DatabaseSync>()

/** Locks an existing file. Returns null if another process has the lock, or the file is gone. */
export function lockFile(file: string): FileLock | null {
  const url = pathToFileURL(file)
  url.searchParams.set('mode', 'rw')
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(url, { timeout: 0 })
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
    if (code === SQLITE_BUSY || code === SQLITE_CANTOPEN) return null
    throw error
  }
  const locked = database
  held.add(locked)
  return {
    release() {
      if (held.delete(locked)) locked.close()
    },
  }
}
