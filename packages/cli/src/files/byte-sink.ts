import type { Cli } from '../cli.ts'
import { usageError } from '../failure/cli-error.ts'
import { createNewFile } from './new-file.ts'

/** Destination of bytes: a file, or standard output. */
export interface ByteSink extends AsyncDisposable {
  write(bytes: Uint8Array): Promise<void>
  /** Overwrites the first bytes, if the destination supports it. */
  replaceStart(bytes: Uint8Array): Promise<void>
  commit(): Promise<void>
}

/** Value of `--out` for standard output. */
export const STANDARD_OUTPUT = '-'

/** @throws CliError if bytes would go to a terminal, or be mixed with JSON */
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
