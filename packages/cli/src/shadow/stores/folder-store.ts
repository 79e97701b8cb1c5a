import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Locate, MANIFEST, readManifest, RefusedLine } from '../manifest.ts'
import type { SubmissionStore } from './submission-store.ts'

const nothing = async (): Promise<void> => undefined

/** @throws Error of the file system, if there is no such folder */
export async function openFolder(folder: string): Promise<SubmissionStore> {
  const root = await realpath(folder)
  return {
    lines: readManifest(path.join(root, MANIFEST), findInside(root)),
    hold: async (submission) => ({ submission, [Symbol.asyncDispose]: nothing }),
    [Symbol.asyncDispose]: nothing,
  }
}

/** Returns the path of a file, unless a link or `..` leads out of the folder: a manifest must not send other files of the machine. */
const findInside =
  (root: string): Locate =>
  async (field, relative) => {
    const outside = new RefusedLine(`${field} must be a file in the folder`)
    const file = await realpath(path.resolve(root, relative)).catch(() => {
      throw outside
    })
    if (!file.startsWith(root + path.sep) || !(await stat(file)).isFile()) throw outside
    return file
  }
