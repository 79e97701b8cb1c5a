import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { endOf, type StopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Environment } from '@vaani/service-kit/settings/define-settings'
import type { Logger } from '@vaani/service-kit/telemetry/log'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A worker that ran as long was well, so the next pause is short again. */
const WELL_MS = 60_000

/** A worker in a process of its own, which is started again whenever it ends. */
export interface WorkerChild {
  isRunning(): boolean
  /** Null while it does not run. */
  pid(): number | undefined
  /** Asks it to stop, and waits for its end until the deadline. */
  stop(deadline: StopDeadline): Promise<void>
}

/** How the worker listens. */
export interface WorkerPlace {
  readonly host: string
  readonly port: number
  readonly metricsPort: number | undefined
}

/** The environment of a worker beside the gateway: everything but what only one process can have. */
export function workerEnvironment(
  environment: Environment,
  { host, port, metricsPort }: WorkerPlace,
): Record<string, string | undefined> {
  return {
    ...environment,
    HOST: host,
    PORT: String(port),
    VAANI_METRICS_PORT: metricsPort === undefined ? '' : String(metricsPort),
    // Standard input is the pipe whose end ends the worker with us, however we end.
    VAANI_PARENT_PIPE: '0',
  }
}

/**
 * Starts a program as the worker, and again with growing pauses if it ends. Nothing that becomes of it reaches the gateway.
 *
 * @param command program and arguments
 */
export function superviseWorker(options: {
  command: readonly [program: string, ...parameters: string[]]
  environment: Record<string, string | undefined>
  log: Logger
}): WorkerChild {
  const { command, environment, log } = options
  const [program, ...parameters] = command
  let child: ChildProcess | undefined
  let pauseMs = FIRST_PAUSE_MS
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  function start(): void {
    const startedMs = performance.now()
    const started = spawn(program, parameters, { env: environment, stdio: ['pipe', 'inherit', 'inherit'] })
    child = started
    // Neither is more than the end that follows.
    started.stdin.on('error', () => undefined)
    started.once('error', () => onEnd(null, startedMs))
    started.once('exit', (code) => onEnd(code, startedMs))
  }

  function onEnd(code: number | null, startedMs: number): void {
    if (child === undefined) return
    child = undefined
    if (isStopping) return
    if (performance.now() - startedMs >= WELL_MS) pauseMs = FIRST_PAUSE_MS
    log.error({ code, duration_ms: pauseMs }, 'The worker ended; it is started again after a pause')
    timer = setTimeout(start, pauseMs)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  start()
  return {
    isRunning: () => child !== undefined,
    pid: () => child?.pid,
    async stop({ timeOver }) {
      isStopping = true
      clearTimeout(timer)
      const running = child
      if (running === undefined) return
      const exit = once(running, 'exit')
      running.kill('SIGTERM')
      await endOf(exit, timeOver)
      running.kill('SIGKILL')
    },
  }
}
