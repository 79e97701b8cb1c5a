import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'

/** Where media lies in the clear while it is taken in or checked: a private folder for each, gone afterwards. */
export interface MediaFolder extends AsyncDisposable {
  file(name: string): string
}

export async function makeMediaFolder(directory: string): Promise<MediaFolder> {
  const folder = path.join(directory, randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    file: (name) => path.join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * The folder of this process, for its media folders. What processes that are gone left in theirs is removed, so that no
 * crash leaves media in the clear behind.
 */
export async function prepareMediaDirectory(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await sweepMediaDirectory(directory)
  const own = path.join(directory, String(process.pid))
  // Of an earlier process with this number.
  await rm(own, { recursive: true, force: true })
  await mkdir(own, { mode: 0o700 })
  return own
}

export async function sweepMediaDirectory(directory: string): Promise<void> {
  for (const name of await readdir(directory))
    if (!isAlive(Number(name))) await rm(path.join(directory, name), { recursive: true, force: true })
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    // It is there, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
