import { open } from 'node:fs/promises'

/** Flushes a directory, so that new names in it survive a power loss. A no-op on Windows, which has no such call. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
