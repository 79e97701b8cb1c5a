import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Fence } from './read-fences.ts'

/** Generous: an example may start a server. */
const timeLimitMs = 300_000

/** A Node, and its parameters before the file. */
type Command = readonly [program: string, ...parameters: string[]]
const FROM_SOURCES: Command = [process.execPath, '--conditions=vaani-source']

/** Runs an example in the directory of its package, and expects it to print a text. @returns the problem, or undefined */
export async function runExample(
  directory: string,
  { text: example, prints = '' }: Pick<Fence, 'text' | 'prints'>,
  [program, ...parameters]: Command = FROM_SOURCES,
): Promise<string | undefined> {
  const hash = createHash('sha256').update(example).digest('hex').slice(0, 12)
  const file = path.join(directory, `.readme-example-${hash}.ts`)
  await writeFile(file, example)
  try {
    const options = { cwd: directory, timeout: timeLimitMs, killSignal: 'SIGKILL' } as const
    const { stdout } = await promisify(execFile)(program, [...parameters, file], options)
    return stdout.includes(prints) ? undefined : `the example does not print ${prints}\n${stdout}`
  } catch (error) {
    return describeFailure(error)
  } finally {
    await rm(file)
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) throw error
  const isTimeout = 'killed' in error && error.killed === true
  const output = 'stderr' in error ? String(error.stderr).trim() : ''
  return isTimeout
    ? `the example did not end within ${timeLimitMs / 1000} s\n${output}`
    : `the example fails\n${output}`
}
