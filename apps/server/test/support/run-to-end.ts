import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { programFile } from '@vaani/test-services'
import { PROCESS_ENVIRONMENT } from './process-environment.ts'

/** Runs the server's program with arguments until it exits. */
export async function runToEnd(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--conditions=vaani-source', programFile('server'), ...args], {
    env: { ...PROCESS_ENVIRONMENT, VAANI_PARENT_PIPE: '0', HOST: '127.0.0.1', PORT: '0', ...environment },
    stdio: 'pipe',
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}
