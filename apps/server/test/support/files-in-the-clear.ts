import { open, readdir } from 'node:fs/promises'
import path from 'node:path'

/** The first bytes of images, videos and recordings, in hex. */
const BEGINNINGS = ['ffd8ff', '52494646', '0000001866747970', '0000001c66747970', '0000002066747970']
const LONGEST = 8

/** Lists the files under a directory, except the database's, that contain unencrypted media. */
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
