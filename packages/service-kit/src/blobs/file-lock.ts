import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Of SQLite: another has the lock, or the file is not there. */
const SQLITE_BUSY = 5
const SQLITE_CANTOPEN = 14

/**
 * A lock on a file, held by this process and by no other. The kernel takes it back when the process ends, however it
 * ends, and knows it across containers and on network volumes, which no process id is good for.
 *
 * Node has no call for such locks. SQLite, which is part of Node, takes them (fcntl, LockFileEx) and nothing else is used
 * of it: the file stays empty. Do not open the file in another way, because closing it would give the lock up (POSIX).
 */
export interface FileLock {
  release(): void
}

/** Locks are given up when they are collected as garbage, so they are kept here. */
const held = new Set<DatabaseSync>()

/** Locks a file that exists. Null if another process has the lock, or the file is gone. */
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
