import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import sherpa from '@vaani/speech-sherpa/package.json' with { type: 'json' }
import { SHERPA_ENGINE } from '../engine.ts'
import { AddVoiceError, reasonOf } from './add-voice-error.ts'
import { quote } from './quote.ts'

const LIBRARY = 'sherpa-onnx-node'
/** What npm installs: the adapter of this server's release, and the library that it needs. */
const PACKAGES = [`${SHERPA_ENGINE}@^${sherpa.version}`, `${LIBRARY}@${sherpa.peerDependencies[LIBRARY]}`]
/** Of what npm prints, the end says what failed. */
const PRINTED_CHARACTERS = 1000
/** An npm that is asked to stop and has not ended by then is killed. */
const STOP_MS = 3000

/** Whether the server finds the adapter and the library in a directory. */
export const hasAdapter = (directory: string): boolean =>
  [SHERPA_ENGINE, LIBRARY].every((name) => find(name, path.join(directory, 'package.json')) !== undefined)

/** Whether the server finds both without being told a directory, wherever it starts. */
export function isAdapterBuiltIn(): boolean {
  const adapter = find(SHERPA_ENGINE, import.meta.url)
  return adapter !== undefined && find(LIBRARY, adapter) !== undefined
}

function find(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name)
  } catch {
    return undefined
  }
}

/**
 * Installs both with npm. If it is aborted, npm has ended when it returns.
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
    await runNpm(command(directory), signal)
  } catch (error) {
    throw new AddVoiceError(
      `${PACKAGES.join(' and ')} could not be installed: ${reasonOf(error)}\n` +
        `Install them, then run this again:\n  npm ${command(lasting).map(quote).join(' ')}`,
    )
  }
}

async function runNpm(args: readonly string[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const [program, ...first] = findNpm()
  const isWindows = process.platform === 'win32'
  // A group of its own, so that what npm starts ends with it. Windows has no groups.
  const npm = spawn(program, [...first, ...args], {
    detached: !isWindows,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = (how: NodeJS.Signals) => {
    try {
      if (isWindows || npm.pid === undefined) npm.kill(how)
      else process.kill(-npm.pid, how)
    } catch {
      // It has ended.
    }
  }
  let killing: NodeJS.Timeout | undefined
  const stop = () => {
    end('SIGTERM')
    killing = setTimeout(() => end('SIGKILL'), STOP_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [printed, [code]] = await Promise.all([text(npm.stderr), once(npm, 'close')])
    signal.throwIfAborted()
    if (code !== 0) throw new Error(printed.trim().slice(-PRINTED_CHARACTERS))
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(killing)
  }
}

/** Returns the npm that runs the server, if one does, or else that of the PATH, which on Windows only a shell could start. */
function findNpm(): [string, ...string[]] {
  const running = process.env['npm_execpath']
  if (running !== undefined && path.basename(running) === 'npm-cli.js') return [process.execPath, running]
  if (process.platform === 'win32')
    throw new Error('npm can be started here only if npm or npx runs the server')
  return ['npm']
}
