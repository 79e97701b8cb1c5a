import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BlobError, type BlobStore, requireKey } from './blob-store.ts'
import { meter } from './metered.ts'

const UNFINISHED = '.unfinished'

/** Blobs as files: written under another name, flushed, then renamed, so that a broken upload is never seen. */
export async function createFileBlobStore(options: { directory: string }): Promise<BlobStore> {
  const { directory } = options
  const unfinished = path.join(directory, UNFINISHED)
  // What a crash left behind. Another process may be writing, so only what is a day old.
  await mkdir(unfinished, { recursive: true })
  await sweep(unfinished)

  const pathOf = (key: string) => path.join(directory, requireKey(key))

  const store: BlobStore = {
    async put(key, source, { maxBytes, signal }) {
      const target = pathOf(key)
      const temporary = path.join(unfinished, randomUUID())
      const metered = meter(source, maxBytes, signal)
      try {
        await pipeline(metered.chunks, createWriteStream(temporary, { flags: 'wx', flush: true }))
        await mkdir(path.dirname(target), { recursive: true })
        await rename(temporary, target)
        await syncDirectory(path.dirname(target))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      return metered.result()
    },
    importFile: (key, file) => store.put(key, createReadStream(file), { maxBytes: Number.MAX_SAFE_INTEGER }),
    async open(key) {
      try {
        const handle = await open(pathOf(key))
        const { size } = await handle.stat()
        return { stream: handle.createReadStream(), bytes: size }
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
          throw new BlobError('not_found', 'There is no such blob')
        throw error
      }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    close: () => Promise.resolve(),
  }
  return store
}

const DAY_MS = 86_400_000

async function sweep(unfinished: string): Promise<void> {
  for (const name of await readdir(unfinished)) {
    const file = path.join(unfinished, name)
    const handle = await open(file)
    const { mtimeMs } = await handle.stat()
    await handle.close()
    if (mtimeMs < Date.now() - DAY_MS) await rm(file, { force: true })
  }
}

/** A rename is safe against a loss of power once its directory is flushed; Windows has no such thing. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
