import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { usageError } from '../failure/cli-error.ts'

export interface NewFile extends AsyncDisposable {
  readonly handle: FileHandle
  /** Moves the file to its path. Without a commit it is removed, and an existing file stays unchanged. */
  commit(): Promise<void>
}

/**
 * Creates a file atomically: it is written next to its path, and moved there on commit.
 *
 * @param options.replaces whether the file may replace another one
 * @throws CliError if the path exists and is not a regular file, such as `/dev/null`, or may not be replaced
 */
export async function createNewFile(file: string, { mode = 0o666, replaces = true } = {}): Promise<NewFile> {
  const present = await stat(file).catch(() => undefined)
  if (present !== undefined && !present.isFile()) throw usageError(`${file} exists and is not a regular file`)
  if (present !== undefined && !replaces) throw usageError(`${file} exists: name a new file, or move it away`)
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
