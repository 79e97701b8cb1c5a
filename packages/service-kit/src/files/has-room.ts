import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'

/** Free bytes in a folder without which the process counts as having no room. */
const ROOM_BYTES = 1_048_576

const PROBE = Buffer.alloc(ROOM_BYTES, 1)

/**
 * Whether this process can create and fill a file in a folder. Really writes one, because free space does not show quotas, missing
 * inodes or a file system that has become read-only.
 */
export async function hasRoom(folder: string): Promise<boolean> {
  const file = path.join(folder, `.room-${randomUUID()}`)
  try {
    await using handle = await open(file, 'wx', 0o600)
    // Removed before it is filled, so that a crash leaves nothing.
    await rm(file)
    await handle.writeFile(PROBE)
    return true
  } catch {
    return false
  }
}
