import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface ServerProcess {
  child: ChildProcess
  url: string
  /** What it has printed so far. */
  output(): string
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/** The server as an operator runs it: a process of its own, started by `under` if that is given. */
export async function startServerProcess(
  environment: Record<string, string>,
  { under = [], args = [] }: { under?: readonly string[]; args?: readonly string[] } = {},
): Promise<ServerProcess> {
  const [command = process.execPath, ...rest] = [
    ...under,
    process.execPath,
    '--conditions=source',
    MAIN,
    ...args,
  ]
  const child = spawn(command, rest, {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const started = new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      text += String(data)
      const address = /"address":"(http[^"]+)"[^\n]*"event":"started"/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${text}`)))
  })
  // A process of the role `worker` listens nowhere.
  const listens = environment['VAANI_ROLES'] !== 'worker'
  const url = listens ? await started : ''
  if (!listens) started.catch(() => undefined)
  return {
    child,
    url,
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
