import { access } from 'node:fs/promises'
import path from 'node:path'

const NAME = 'kill'

/** Returns whether the file `kill` is in the data directory. Throws if the directory cannot be read. */
export async function hasKillFile(dataDirectory: string): Promise<boolean> {
  try {
    await access(path.join(dataDirectory, NAME))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
