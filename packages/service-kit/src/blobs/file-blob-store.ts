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
/** Codes of a key without a file: there is nothing, or a folder, or a file in place of one of its folders. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ERR_FS_EISDIR'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
const isMissing = (error: unknown): boolean => MISSING.has(codeOf(error))
const isInUse = (error: unknown): boolean => codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST'

/** Blobs as files: written under another name, flushed, then renamed, so that a broken upload is never seen. */
export async function createFileBlobStore(options: { directory: string }): Promise<BlobStore> {
  const directory = path.resolve(options.directory)
  await makePrivateFolder(directory)
  const unfinished = await claimProcessFolder(path.join(directory, UNFINISHED))

  const pathOf = (key: string) => path.join(directory, requireKey(key))

  /** Removes a folder and those above it, as far as they are empty. */
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
        // What cannot be removed now goes with the folder.
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

/** A folder disappears with its last blob, which may happen while another blob moves there. */
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

/** Makes a folder and those above it, each of them safe against a loss of power. */
async function makeSafely(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const top = path.dirname(first)
  for (let made = path.dirname(folder); made.length >= top.length; made = path.dirname(made))
    await syncDirectory(made)
}
