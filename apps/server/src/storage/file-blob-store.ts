import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BlobError, type BlobStore, requireKey } from './blob-store.ts'
import { meter } from './metered.ts'
import { syncDirectory } from './sync-directory.ts'

const UNFINISHED = '.unfinished'
const DAY_MS = 86_400_000
/** What says that no file is there: nothing, or a folder, or a file where the key has a folder. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ERR_FS_EISDIR'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
const isMissing = (error: unknown): boolean => MISSING.has(codeOf(error))
const isInUse = (error: unknown): boolean => codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST'

/** Blobs as files: written under another name, flushed, then renamed, so that a broken upload is never seen. */
export async function createFileBlobStore(options: { directory: string }): Promise<BlobStore> {
  const directory = path.resolve(options.directory)
  const unfinished = path.join(directory, UNFINISHED)
  await mkdir(unfinished, { recursive: true })
  await sweep(unfinished)

  const pathOf = (key: string) => path.join(directory, requireKey(key))

  /** Removes a folder and those above it, as far as they are empty. */
  async function removeEmpty(folder: string): Promise<void> {
    try {
      for (let empty = folder; empty !== directory; empty = path.dirname(empty)) await rmdir(empty)
    } catch (error) {
      if (!isMissing(error) && !isInUse(error)) throw error
    }
  }

  const store: BlobStore = {
    async put(key, source, { maxBytes, signal }) {
      const target = pathOf(key)
      const temporary = path.join(unfinished, randomUUID())
      const metered = meter(source, maxBytes, signal)
      try {
        await pipeline(metered.chunks, createWriteStream(temporary, { flags: 'wx', flush: true }))
        await moveSafely(temporary, target)
        await syncDirectory(path.dirname(target))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      return metered.result()
    },
    importFile: async (key, file) =>
      store.put(requireKey(key), createReadStream(file), { maxBytes: Number.MAX_SAFE_INTEGER }),
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
    close: () => Promise.resolve(),
  }
  return store
}

/** Removes what a crash left behind: what is a day old, as another process may be writing the rest. */
async function sweep(unfinished: string): Promise<void> {
  for (const name of await readdir(unfinished)) {
    const file = path.join(unfinished, name)
    try {
      const { mtimeMs } = await stat(file)
      if (mtimeMs < Date.now() - DAY_MS) await rm(file)
    } catch (error) {
      // Another process finished it, or swept it, meanwhile.
      if (!isMissing(error)) throw error
    }
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
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  const top = path.dirname(first)
  for (let made = path.dirname(folder); made.length >= top.length; made = path.dirname(made))
    await syncDirectory(made)
}
