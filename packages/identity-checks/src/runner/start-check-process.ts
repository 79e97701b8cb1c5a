import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { EngineSettings } from '../load-engines.ts'
import { SIGNAL_OF } from './budget.ts'
import type { JobName, Message, Outcome, OutputOf, RequestOf } from './job.ts'

export interface ProcessSettings {
  /** The process that starts it. */
  parentId: number
  engines: EngineSettings
}

/** A process that does one job at a time. */
export interface CheckProcess {
  /** Fulfilled when it has loaded everything, or has ended. */
  readonly ready: Promise<unknown>
  /** Never rejects: that the process ends is an outcome. */
  ask<Name extends JobName>(request: RequestOf<Name>): Promise<Outcome<OutputOf<Name>>>
  /** Whether it can do another job; false if it has ended, or has grown too large to be kept. */
  isFit(): boolean
  /** Waits until it is gone. */
  kill(): Promise<void>
}

/** No job is known that takes time without using a processor. */
const STUCK_MS = 300_000
const HEAP_MB = 512
/** WebAssembly gives no memory back, so a process that is larger than this after a job is replaced. */
const KEPT_MB = 800
/** Requests, calls and their audio go first. */
const NICENESS = 5
/** The server's secrets are not for a process that decodes what strangers send. */
const ENVIRONMENT = ['PATH', 'LD_LIBRARY_PATH', 'NODE_OPTIONS', 'NODE_PATH', 'TMPDIR', 'TMP', 'TEMP']

export function startCheckProcess(engines: EngineSettings): CheckProcess {
  const file = import.meta.url.endsWith('.ts') ? './check-process.ts' : './check-process.js'
  const settings: ProcessSettings = { parentId: process.pid, engines }
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(settings)], {
    execArgv: [
      // Workspaces resolve to their sources there if they do here.
      ...process.execArgv.filter((option) => option.startsWith('--conditions=')),
      `--max-old-space-size=${HEAP_MB}`,
    ],
    env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
    // Libraries print, and it may be of somebody's document.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  lowerPriority(child)
  let isAlive = true
  let memoryMb = 0
  function end(): void {
    isAlive = false
    child.kill('SIGKILL')
  }
  const waitForEnd = async () => {
    try {
      const [, signal] = await once(child, 'exit')
      return toEnd(signal)
    } catch {
      // It could not be started, or takes no messages.
      return { kind: 'crashed' } as const
    } finally {
      end()
    }
  }
  const ended = waitForEnd()
  // Only the first is of interest, and `ended` reports it.
  child.on('error', () => undefined)
  const loaded = Promise.withResolvers<void>()
  child.once('message', () => loaded.resolve())
  setReferenced(child, false)

  return {
    ready: Promise.race([loaded.promise, ended]),
    async ask<Name extends JobName>(request: RequestOf<Name>) {
      const reported = Promise.withResolvers<Outcome<OutputOf<Name>>>()
      const listen = (message: Message<OutputOf<Name>>) => {
        if (message.kind !== 'report') return
        memoryMb = message.memoryMb
        reported.resolve(message.report)
      }
      child.on('message', listen)
      const stuck = setTimeout(() => {
        reported.resolve({ kind: 'timed_out' })
        end()
      }, STUCK_MS)
      setReferenced(child, true)
      // If it cannot be sent, the process has ended.
      child.send(request, () => undefined)
      const outcome = await Promise.race([reported.promise, ended])
      clearTimeout(stuck)
      child.off('message', listen)
      setReferenced(child, false)
      return outcome
    },
    isFit: () => isAlive && memoryMb < KEPT_MB,
    async kill() {
      // Whoever waits for its end must stay alive until then.
      child.ref()
      end()
      await ended
    },
  }
}

function toEnd(signal: unknown) {
  switch (signal) {
    case SIGNAL_OF.time:
      return { kind: 'timed_out' } as const
    case 'SIGKILL':
      return { kind: 'killed' } as const
    default:
      return { kind: 'crashed' } as const
  }
}

/** At once, as threads have the priority of the one that makes them. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(19, getPriority() + NICENESS))
  } catch {
    // It has ended already, or the system has no priorities: nothing else depends on them.
  }
}

/** An idle process does not keep the one that started it alive. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  if (isReferenced) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}
