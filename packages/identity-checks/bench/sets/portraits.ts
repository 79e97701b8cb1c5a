import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** A photograph of a person. */
export interface Photograph {
  readonly person: string
  readonly file: string
}

/** Lists the photographs of a folder that has a folder for each person. */
export async function listPhotographs(folder: string): Promise<readonly Photograph[]> {
  const found: Photograph[] = []
  for (const entry of (await readdir(folder, { recursive: true, withFileTypes: true })).toSorted((a, b) =>
    path.join(a.parentPath, a.name).localeCompare(path.join(b.parentPath, b.name)),
  ))
    if (entry.isFile() && /\.(jpe?g|png|webp)$/i.test(entry.name))
      found.push({
        person: path.relative(folder, entry.parentPath),
        file: path.join(entry.parentPath, entry.name),
      })
  return found
}
