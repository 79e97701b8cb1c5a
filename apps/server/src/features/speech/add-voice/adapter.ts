import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { SHERPA_ENGINE } from '../engine.ts'
import { AddVoiceError, reasonOf } from './add-voice-error.ts'

const PACKAGES = [SHERPA_ENGINE, 'sherpa-onnx-node'] as const
/** Of what npm prints, the end says what failed. */
const PRINTED_CHARACTERS = 1000

/** Whether the server finds the adapter and the library in a directory. */
export const hasAdapter = (directory: string): boolean =>
  PACKAGES.every((name) => find(name, path.join(directory, 'package.json')) !== undefined)

/** Whether the server finds both without being told a directory, wherever it starts. */
export function isAdapterBuiltIn(): boolean {
  const adapter = find(SHERPA_ENGINE, import.meta.url)
  return adapter !== undefined && find('sherpa-onnx-node', adapter) !== undefined
}

function find(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name)
  } catch {
    return undefined
  }
}

/**
 * Installs both with npm.
 *
 * @param options.lasting the directory in which the operator can install them instead
 * @throws AddVoiceError with the command for that
 */
export async function installAdapter(
  directory: string,
  { lasting, signal }: { lasting: string; signal: AbortSignal },
): Promise<void> {
  const command = (prefix: string) => ['install', '--prefix', prefix, '--ignore-scripts', ...PACKAGES]
  await mkdir(directory, { recursive: true })
  try {
    // Only a shell starts the npm of Windows.
    const npm = spawn('npm', command(directory), {
      shell: process.platform === 'win32',
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [printed, [code]] = await Promise.all([text(npm.stderr), once(npm, 'close')])
    if (code !== 0) throw new Error(printed.trim().slice(-PRINTED_CHARACTERS))
  } catch (error) {
    throw new AddVoiceError(
      `${PACKAGES.join(' and ')} could not be installed: ${reasonOf(error)}\n` +
        `Install them, then run this again:\n  npm ${command(lasting).join(' ')}`,
    )
  }
}
