import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Where media lies in the clear while it is taken in or checked: a private folder for each, gone afterwards. */
export interface MediaFolder extends AsyncDisposable {
  file(name: string): string
}

/** Longer than any submission or check lasts, so what is older was left by a crash. */
const LEFT_OVER_MS = 3_600_000

export async function makeMediaFolder(directory: string): Promise<MediaFolder> {
  const folder = path.join(directory, randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    file: (name) => path.join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Removes what crashes left behind. */
export async function sweepMediaFolders(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (const name of await readdir(directory)) {
    const folder = path.join(directory, name)
    const found = await stat(folder).catch(() => null)
    if (found !== null && found.mtimeMs < Date.now() - LEFT_OVER_MS)
      await rm(folder, { recursive: true, force: true })
  }
}
