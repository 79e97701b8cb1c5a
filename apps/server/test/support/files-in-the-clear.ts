import { open, readdir } from 'node:fs/promises'
import path from 'node:path'

/** What pictures, videos and recordings begin with. */
const BEGINNINGS = ['ffd8ff', '52494646', '0000001866747970', '0000001c66747970', '0000002066747970']
const LONGEST = 8

/** Files under a directory, except the database, that hold media which anybody can open. */
export async function filesInTheClear(directory: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile() && !path.relative(directory, file).startsWith('postgres') && (await isMedia(file)))
      found.push(path.relative(directory, file))
  }
  return found
}

async function isMedia(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => null)
  if (handle === null) return false
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST), 0, LONGEST, 0)
    const start = buffer.toString('hex', 0, bytesRead)
    return BEGINNINGS.some((beginning) => start.startsWith(beginning))
  } finally {
    await handle.close()
  }
}
