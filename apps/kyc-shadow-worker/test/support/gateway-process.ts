import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { programFile } from '@vaani/test-services'

export interface GatewayProcess extends AsyncDisposable {
  readonly child: ChildProcess
  /** Null if it ended before it listened. */
  readonly url: string | null
  readonly metricsUrl: string | null
  /** Everything printed so far, also by its worker. */
  output(): string
  /** Returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the gateway as an operator would, on free ports. It ends with the tests, however those end. */
export async function startGatewayProcess(environment: Record<string, string>): Promise<GatewayProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=vaani-source', programFile('shadow-worker'), 'gateway'],
    {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        HOST: '127.0.0.1',
        PORT: '0',
        VAANI_METRICS_PORT: '0',
        VAANI_PARENT_PIPE: '3',
        VAANI_SHADOW_WORKER: 'none',
        VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_test_of_the_worker',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  )
  let text = ''
  const listening = Promise.withResolvers<string | null>()
  const read = (data: Buffer): void => {
    text += String(data)
    const found = /"address":"(http[^"]+)","event":"started"/.exec(text)?.[1]
    if (found !== undefined) listening.resolve(found)
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  const exit = once(child, 'exit')
  child.once('close', () => listening.resolve(null))
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    await exit
    return child.exitCode
  }
  return {
    child,
    url: await listening.promise,
    metricsUrl: /"address":"([^"]+)","msg":"Serving metrics"/.exec(text)?.[1] ?? null,
    output: () => text,
    end,
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}
