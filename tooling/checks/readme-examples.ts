/**
 * Runs the example in each published package's README as it is printed there, so that no reader copies one that
 * does not work.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

import { findExample } from './readme-example.ts'
import { readWorkspaces } from './workspaces.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Generous: an example may start a server. */
const timeLimitMs = 60_000

const published = readWorkspaces(root).filter(({ manifest }) => manifest.private !== true)
for (const { directory } of published) {
  const problem = await runExample(path.join(root, directory))
  console.log(`${directory}: ${problem ?? 'example runs'}`)
  if (problem !== undefined) process.exitCode = 1
}

/** @returns what is wrong, or nothing */
async function runExample(directory: string): Promise<string | undefined> {
  const readme = path.join(directory, 'README.md')
  if (!existsSync(readme)) return 'has no README.md'
  const example = findExample(readFileSync(readme, 'utf8'))
  if (example === undefined) return 'README.md has no fence opened as ```ts example'
  const hash = createHash('sha256').update(example).digest('hex').slice(0, 12)
  const file = path.join(directory, `.readme-example-${hash}.ts`)
  await writeFile(file, example)
  try {
    const options = { cwd: directory, timeout: timeLimitMs, killSignal: 'SIGKILL' } as const
    await promisify(execFile)(process.execPath, ['--conditions=source', file], options)
    return undefined
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
