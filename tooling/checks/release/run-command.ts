import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Time limit of each command; an install from a cold cache is the slowest. */
const LIMIT_MS = 300_000

/**
 * Runs a program to its end.
 *
 * @returns its standard output
 * @throws Error with the command and all its output
 */
export async function runCommand(
  file: string,
  parameters: readonly string[],
  options: { cwd: string; environment?: Readonly<Record<string, string>> },
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(file, parameters, {
      cwd: options.cwd,
      env: { ...process.env, ...options.environment },
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 2 ** 26,
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const command = [file, ...parameters].join(' ').slice(0, 300)
    throw new Error(`${command}\n${stdout}${stderr}`.trim(), { cause: error })
  }
}
