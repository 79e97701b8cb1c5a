import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createNewFile } from '../files/new-file.ts'

/** Writes a file atomically, readable only by the user. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await using written = await createNewFile(file, { mode: 0o600 })
  await written.handle.writeFile(text)
  await written.commit()
}
