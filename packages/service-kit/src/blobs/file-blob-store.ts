import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BlobError, type BlobStore, requireKey } from './blob-store.ts'
import { makePrivateFolder } from './make-private-folder.ts'
import { meter } from './metered.ts'
import { claimProcessFolder } from './process-folder.ts'
import { syncDirectory } from './sync-directory.ts'

const UNFINISHED = '.unfinished'
/** Error codes of a key without a file: nothing exists there, or a folder, or a file in place of a parent folder. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ERR_FS_EISDIR'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
const isMissing = (error: unknown): boolean => MISSING.has(codeOf(error))
const isInUse = (error: unknown): boolean => codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST'

/** Stores blobs as files. Writes under a temporary name, flushes, then renames, so that partial uploads are never visible. */
export async function createFileBlobStore(options: { directory: string }): Promise<BlobStore> {
  const directory = path.resolve(options.directory)
  await makePrivateFolder(directory)
  const unfinished = await claimProcessFolder(path.join(directory, UNFINISHED))

  const pathOf = (key: string) => path.join(directory, requireKey(key))

  /** Removes a folder and its parents as far as they are empty. */
  async function removeEmpty(folder: string): Promise<void> {
    try {
      for (let empty = folder; empty !== directory; empty = path.dirname(empty)) await rmdir(empty)
    } catch (error) {
      if (!isMissing(error) && !isInUse(error)) throw error
    }
  }

  return {
    async put(key, source, { maxBytes, signal }) {
      const target = pathOf(key)
      const temporary = path.join(unfinished.path, randomUUID())
      const metered = meter(source, maxBytes, signal)
      try {
        await pipeline(
          metered.chunks,
          createWriteStream(temporary, { flags: 'wx', flush: true, mode: 0o600 }),
        )
        await moveSafely(temporary, target)
        await syncDirectory(path.dirname(target))
      } catch (error) {
        // If this fails, the file is removed with the process folder.
        await rm(temporary, { force: true }).catch(() => undefined)
        throw error
      }
      return metered.result()
    },
    async open(key) {
      const file = pathOf(key)
      try {
        const handle = await open(file)
        const found = await handle.stat()
        if (found.isFile()) return { stream: handle.createReadStream(), bytes: found.size }
        await handle.close()
      } catch (error) {
        if (!isMissing(error)) throw error
      }
      throw new BlobError('not_found', 'There is no such blob')
    },
    async delete(key) {
      const file = pathOf(key)
      try {
        await rm(file)
      } catch (error) {
        if (isMissing(error)) return
        throw error
      }
      await removeEmpty(path.dirname(file))
    },
    sweep: () => unfinished.sweep(),
    close: async () => unfinished[Symbol.asyncDispose](),
  }
}

/** Retries of a move, because a concurrent delete of a folder's last blob also removes the folder. */
const MAX_MOVES = 10

async function moveSafely(file: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await makeSafely(path.dirname(target))
      return await rename(file, target)
    } catch (error) {
      if (!isMissing(error) || attempt === MAX_MOVES) throw error
    }
}

/** Creates a folder and its parents, each flushed so that it survives a power loss. */
async function makeSafely(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const top = path.dirname(first)
  for (let made = path.dirname(folder); made.length >= top.length; made = path.dirname(made))
    await syncDirectory(made)
}
