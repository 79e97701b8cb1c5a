import { PassThrough } from 'node:stream'
import type { Clock } from '@vaani/client'
import type { CliEnvironment } from '../cli-environment.ts'
import { runCli } from '../run-cli.ts'

/** Creates a clock on which waits end at once. */
export function createFastClock(): Clock {
  let nowMs = Date.parse('2026-11-21T00:00:00Z')
  return {
    nowMs: () => nowMs,
    after(delayMs, action) {
      const timer = setImmediate(() => {
        nowMs += delayMs
        action()
      })
      return () => clearImmediate(timer)
    },
  }
}

/** Creates the streams, variables and home directory of a test. */
export function createEnvironment(changes: Partial<CliEnvironment> = {}) {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const environment: CliEnvironment = {
    stdin,
    stdout,
    stderr,
    variables: { VAANI_API_KEY: 'sk_test_key', VAANI_BASE_URL: 'https://vaani.example.com' },
    homeDirectory: '/nowhere',
    signal: new AbortController().signal,
    ...changes,
  }
  return { environment, stdin, stdout: () => read(stdout), stderr: () => read(stderr) }
}

/** Returns the text written since the last read. */
const read = (stream: PassThrough): string => String(stream.read() ?? '')

/** Runs a command line. */
export async function run(commandLine: readonly string[], changes: Partial<CliEnvironment> = {}) {
  const { environment, stdout, stderr } = createEnvironment(changes)
  const code = await runCli(commandLine, environment)
  return { code, stdout: stdout(), stderr: stderr() }
}
