import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Program } from './find-program.ts'

const READY_WITHIN_MS = 90_000
const PROBE_MS = 100
const STOP_WITHIN_MS = 15_000
/** Descriptor of the pipe that `waitForEndOfParent` of the kit watches. */
const PARENT_PIPE = 3
const LOG_CHARACTERS = 16_384
const LOG_LINES = 15

export interface Child extends AsyncDisposable {
  readonly name: string
  readonly url: string
  /** Rejects when the process ends before it was stopped. */
  readonly lost: Promise<never>
}

export interface ChildOptions {
  readonly name: string
  readonly program: Program
  readonly args?: readonly string[]
  readonly port: number
  readonly environment: Readonly<Record<string, string>>
  /** Ends the wait for its start. */
  readonly signal: AbortSignal
}

/** Variables that programs need from the machine. Settings of the person's own services must not reach the demo. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'USERPROFILE', 'NODE_EXTRA_CA_CERTS']

/** Starts a program and waits until it is ready. It ends with this process, however that ends. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, program, args = [], port, environment, signal } = options
  const inherited = INHERITED.flatMap((variable) => {
    const value = process.env[variable]
    return value === undefined ? [] : [[variable, value]]
  })
  const child = spawn(process.execPath, [...program.execArgv, program.file, ...args], {
    env: {
      ...Object.fromEntries(inherited),
      LOG_LEVEL: 'warn',
      VAANI_SHUTDOWN_GRACE_SECONDS: '1',
      ...environment,
      PORT: String(port),
      VAANI_PARENT_PIPE: String(PARENT_PIPE),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // In a process group of its own, Ctrl-C reaches only the demo, which stops what it started in order.
    detached: true,
  })
  const exited = once(child, 'exit')
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_CHARACTERS)
    })
  let isStopping = false
  const lost = exited.then(async () => {
    if (isStopping) return await new Promise<never>(() => undefined)
    throw new Error(`${name} has ended:\n${lastLines(log)}`)
  })
  lost.catch(() => undefined)
  const stop = async (): Promise<void> => {
    isStopping = true
    child.stdio[PARENT_PIPE]?.destroy()
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
    if (child.exitCode === null && child.signalCode === null) await exited
    clearTimeout(late)
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await Promise.race([untilReady(url, signal), lost])
  } catch (error) {
    await stop()
    throw signal.aborted
      ? signal.reason
      : new Error(`${name} did not start:\n${lastLines(log)}`, { cause: error })
  }
  return { name, url, lost, [Symbol.asyncDispose]: stop }
}

/** Waits until a service says that it can work. */
export async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(READY_WITHIN_MS)])
  for (;;) {
    const isReady = await fetch(`${url}/readyz`, { signal: limit }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
    if (isReady) return
    await delay(PROBE_MS, undefined, { signal: limit })
  }
}

const lastLines = (log: string): string => log.trimEnd().split('\n').slice(-LOG_LINES).join('\n')
