import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { programFile } from '@vaani/test-services'
import { PROCESS_ENVIRONMENT, SPEECH_ON_DEMAND } from './process-environment.ts'
import { followOutput } from './written-lines.ts'

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export const SERVER_ENVIRONMENT = {
  ...PROCESS_ENVIRONMENT,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
  VAANI_SPEECH_ENGINES_FILE: SPEECH_ON_DEMAND,
}

export interface ServerProcess {
  child: ChildProcess
  url: string
  /** Everything printed so far. */
  output(): string
  kill(signal: NodeJS.Signals): Promise<number | null>
}

export interface Launch {
  /** A command to run the server under, with its leading arguments. */
  under?: readonly string[]
  args?: readonly string[]
}

/** Starts the server in its own process, as an operator would. The process ends with the tests, however those end. */
export async function startServerProcess(
  environment: Record<string, string>,
  launch: Launch = {},
): Promise<ServerProcess> {
  const { started, ...server } = spawnServerProcess(environment, launch)
  // A process with the role `worker` does not listen.
  const listens = environment['VAANI_ROLES'] !== 'worker'
  return { ...server, url: listens ? await started : '' }
}

/** Like `startServerProcess`, but does not wait for the server to start. */
export function spawnServerProcess(
  environment: Record<string, string>,
  { under = [], args = [] }: Launch = {},
): Omit<ServerProcess, 'url'> & { started: Promise<string> } {
  const [command = process.execPath, ...rest] = [
    ...under,
    process.execPath,
    '--conditions=vaani-source',
    programFile('server'),
    ...args,
  ]
  const child = spawn(command, rest, {
    env: { ...SERVER_ENVIRONMENT, VAANI_PARENT_PIPE: '3', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let text = ''
  followOutput(() => text)
  const started = new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      text += String(data)
      const address = /"address":"(http[^"]+)"[^\n]*"event":"started"/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`The server exited with ${code}: ${text}`)))
  })
  started.catch(() => undefined)
  return {
    child,
    started,
    output: () => text,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
      return child.exitCode
    },
  }
}
