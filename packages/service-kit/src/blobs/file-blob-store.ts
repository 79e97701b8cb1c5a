import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BlobError, type BlobStore, requireKey } from './blob-store.ts'
import { limitBytes, requireRoom } from './limit-bytes.ts'
import { makePrivateFolder } from '../files/make-private-folder.ts'
import { claimProcessFolder } from './process-folder.ts'
import { syncDirectory } from '../files/sync-directory.ts'

const UNFINISHED = '.unfinished'
/** Error codes of a key without a file: nothing exists there, or a folder, or a file in place of a parent folder. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ERR_FS_EISDIR'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
const isMissing = (error: unknown): boolean => MISSING.has(codeOf(error))
function ignoreMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}
const isInUse = (error: unknown): boolean => codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST'

/**
 * Stores blobs as files. Writes under a temporary name, flushes, then renames, so that partial uploads are never visible.
 *
 * @param options `flushes: false` leaves the flushing to the system, for blobs that a power failure may take: it costs a third of
 *   the time, and survives the end of the process all the same
 */
export async function createFileBlobStore(options: {
  directory: string
  flushes?: boolean
}): Promise<BlobStore> {
  const { flushes = true } = options
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
      signal?.throwIfAborted()
      try {
        if (source instanceof Uint8Array) {
          requireRoom(source.byteLength, maxBytes)
          await writeFile(temporary, source, { flag: 'wx', flush: flushes, mode: 0o600 })
        } else {
          await using file = await open(temporary, 'wx', 0o600)
          await writeChunks(file, limitBytes(source, maxBytes, signal))
          if (flushes) await file.sync()
        }
        await moveSafely(temporary, target)
        if (flushes) await syncDirectory(path.dirname(target))
      } catch (error) {
        // If this fails, the file is removed with the process folder.
        await rm(temporary, { force: true }).catch(() => undefined)
        throw error
      }
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
    async *list(folder) {
      const place = pathOf(folder)
      for await (const entry of (await opendir(place).catch(ignoreMissing)) ?? []) {
        if (!entry.isFile()) continue
        const found = await stat(path.join(place, entry.name)).catch(ignoreMissing)
        if (found) yield { key: `${folder}/${entry.name}`, bytes: found.size }
      }
    },
    sweep: () => unfinished.sweep(),
    close: async () => unfinished[Symbol.asyncDispose](),
  }
}

/** Each write costs a change of threads, whatever it writes. */
const WRITE_BYTES = 262_144

async function writeChunks(file: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  async function write(): Promise<void> {
    const { bytesWritten } = await file.writev(waiting)
    // The rest shows what was wrong, such as a full disk.
    if (bytesWritten < bytes) await file.writeFile(Buffer.concat(waiting).subarray(bytesWritten))
    waiting = []
    bytes = 0
  }
  for await (const chunk of chunks) {
    waiting.push(chunk)
    bytes += chunk.byteLength
    if (bytes >= WRITE_BYTES) await write()
  }
  if (bytes > 0) await write()
}

/** Retries of a move, because a concurrent delete of a folder's last blob also removes the folder. */
const MAX_MOVES = 10

async function moveSafely(file: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      // Nearly always there.
      if (attempt > 1) await makeSafely(path.dirname(target))
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
