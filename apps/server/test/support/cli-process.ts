import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { programFile } from '@vaani/test-services'
import { PROCESS_ENVIRONMENT } from './process-environment.ts'

/** Starts `vaani` in its own process, as a person would. */
export function startCli(
  commandLine: readonly string[],
  variables: Readonly<Record<string, string>>,
  ids: { uid?: number } = {},
) {
  const child = spawn(process.execPath, ['--conditions=vaani-source', programFile('cli'), ...commandLine], {
    env: { ...PROCESS_ENVIRONMENT, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...ids,
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  const stderr = text(child.stderr)
  return {
    stdout: () => stdout,
    stderr,
    exit: once(child, 'exit').then(([code]: (number | null)[]) => code),
    interrupt: () => child.kill('SIGINT'),
    kill: () => child.kill('SIGKILL'),
  }
}
