import type { Cli } from '../cli.ts'
import { usageError } from '../cli-error.ts'
import { createNewFile } from './new-file.ts'

/** Where bytes go: a file, or standard output. */
export interface ByteSink extends AsyncDisposable {
  write(bytes: Uint8Array): Promise<void>
  /** Writes over the first bytes, where that can be done. */
  replaceStart(bytes: Uint8Array): Promise<void>
  commit(): Promise<void>
}

/** What `--out` means. */
export const STANDARD_OUTPUT = '-'

/** @throws CliError where bytes would be poured on a terminal, or among JSON */
export async function openSink(cli: Cli, out: string): Promise<ByteSink> {
  if (out === STANDARD_OUTPUT) return standardOutput(cli)
  const file = await createNewFile(out)
  return {
    write: (bytes) => file.handle.writeFile(bytes),
    async replaceStart(bytes) {
      await file.handle.write(bytes, 0, bytes.length, 0)
    },
    commit: file.commit,
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  }
}

function standardOutput({ output, environment }: Cli): ByteSink {
  if (output.isJson)
    throw usageError('--json and bytes cannot both go to standard output: name a file with --out')
  if (environment.stdout.isTTY) throw usageError('standard output is a terminal: name a file, or use a pipe')
  return {
    write: (bytes) => output.bytes(bytes),
    replaceStart: async () => undefined,
    commit: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
}
