import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

const RESTART_MS = 200

/** A process that is started again whenever it exits, until it is disposed. */
export interface KeptProcess extends AsyncDisposable {
  name: string
  signal(signal: NodeJS.Signals): void
  /** Everything that it has printed, over all starts. */
  output(): string
  starts(): number
}

/** Keeps a TypeScript program of this repository running. It ends with this process, however this process ends. */
export function keepRunning(
  name: string,
  {
    program,
    args = [],
    environment,
  }: {
    /** Its file, which is asked for at each start. */
    program: () => string
    args?: string[]
    environment: NodeJS.ProcessEnv
  },
): KeptProcess {
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let output = ''
  let starts = 0

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      child = spawn(process.execPath, ['--conditions=vaani-source', program(), ...args], {
        env: { ...environment, VAANI_PARENT_PIPE: '3' },
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      })
      starts++
      const read = (data: Buffer) => (output += String(data))
      child.stdout?.on('data', read)
      child.stderr?.on('data', read)
      await once(child, 'exit')
      await delay(RESTART_MS)
    }
  }
  const running = run()
  return {
    name,
    signal: (signal) => void child?.kill(signal),
    output: () => output,
    starts: () => starts,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      child?.kill('SIGCONT')
      child?.kill('SIGKILL')
      await running
    },
  }
}
