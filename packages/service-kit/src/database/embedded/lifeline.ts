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
 * Holds the server's lifeline, a named pipe that each process using the server keeps open. The kernel closes it however a
 * process ends, including kill -9. When the last process closes it, the server stops (`server-process.ts`).
 *
 * @returns a function that releases the lifeline
 * @throws EmbeddedPostgresError `directory_not_usable`
 */
export async function holdLifeline(place: Place): Promise<() => void> {
  const file = lifelineOf(place)
  if (!(await isPipe(file))) {
    // Node cannot create named pipes. Another process may be faster.
    const error: unknown = await run('mkfifo', ['-m', '600', file], { ...place.ids, cwd: place.socket }).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (!(await isPipe(file)))
      throw new EmbeddedPostgresError(
        'directory_not_usable',
        `Cannot create a named pipe in ${place.socket}`,
        {
          cause: error,
        },
      )
  }
  // Open for reading too, because opening a pipe only for writing waits for a reader. Keep the descriptor number, because an
  // unreferenced handle would be closed.
  const descriptor = openSync(file, 'r+')
  return () => closeSync(descriptor)
}

const isPipe = (file: string): Promise<boolean> =>
  lstat(file).then(
    (found) => found.isFIFO(),
    () => false,
  )
