import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'

/** Private folder that holds the unencrypted media of one verification while it is received or checked. */
export interface MediaFolder extends AsyncDisposable {
  file(name: string): string
}

/** Makes a media folder in the folder of this process. */
export async function makeMediaFolder(directory: string): Promise<MediaFolder> {
  const folder = path.join(directory, randomUUID())
  await mkdir(folder, { mode: 0o700 })
  return {
    file: (name) => path.join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
