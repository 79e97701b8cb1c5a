import { execFile } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Place } from './choose-place.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const run = promisify(execFile)

export const lifelineOf = (place: Place): string => path.join(place.socket, 'users')

/**
 * Holds the server's lifeline, a named pipe that each process using the server keeps open. The kernel closes it however
 * a process ends, kill -9 included; the last one to close it ends the server (`server-process.ts`).
 *
 * @returns what lets go of it
 * @throws EmbeddedPostgresError `directory_not_usable`
 */
export async function holdLifeline(place: Place): Promise<() => void> {
  const file = lifelineOf(place)
  if (!(await isPipe(file))) {
    // Node makes no named pipes. Another process may be first.
    const error: unknown = await run('mkfifo', ['-m', '600', file], { ...place.ids, cwd: place.socket }).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (!(await isPipe(file)))
      throw new EmbeddedPostgresError(
        'directory_not_usable',
        `No named pipe can be made in ${place.socket}`,
        {
          cause: error,
        },
      )
  }
  // For reading too: opening a pipe only for writing waits for a reader. By its number: a handle that nothing refers to is closed.
  const descriptor = openSync(file, 'r+')
  return () => closeSync(descriptor)
}

const isPipe = (file: string): Promise<boolean> =>
  lstat(file).then(
    (found) => found.isFIFO(),
    () => false,
  )
