import { open } from 'node:fs/promises'

/** A new name is safe against a loss of power once its directory is flushed; Windows has no such thing. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
