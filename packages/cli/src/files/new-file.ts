import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { usageError } from '../cli-error.ts'

export interface NewFile extends AsyncDisposable {
  readonly handle: FileHandle
  /** Puts it in its place. Without that nothing is left of it, and what was there before stays. */
  commit(): Promise<void>
}

/**
 * A file that is there whole or not at all: written beside its place, and moved there in the end.
 *
 * @throws CliError where something is there that is no file, as `/dev/null`
 */
export async function createNewFile(file: string, { mode = 0o666 } = {}): Promise<NewFile> {
  const present = await stat(file).catch(() => undefined)
  if (present !== undefined && !present.isFile()) throw usageError(`${file} is there, and is no file`)
  const partial = `${file}.${randomUUID()}.part`
  const handle = await open(partial, 'wx', mode)
  return {
    handle,
    async commit() {
      await handle.sync()
      await handle.close()
      await rename(partial, file)
    },
    async [Symbol.asyncDispose]() {
      await handle.close()
      await rm(partial, { force: true })
    },
  }
}
