import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { EngineSettings } from '../load-engines.ts'
import { SIGNAL_OF } from './budget.ts'
import type { JobName, Message, Outcome, OutputOf, RequestOf } from './job.ts'

export interface ProcessSettings {
  /** Id of the process that starts it. */
  parentId: number
  engines: EngineSettings
}

/** A process that does one job at a time. */
export interface CheckProcess {
  /** Fulfilled when the process has loaded everything, or has ended. */
  readonly ready: Promise<unknown>
  /** Runs a job. Never rejects, because the end of the process is an outcome. */
  ask<Name extends JobName>(request: RequestOf<Name>): Promise<Outcome<OutputOf<Name>>>
  /** Returns whether the process can do another job: false if it has ended or has grown too large. */
  isFit(): boolean
  /** Kills the process and waits for its end. */
  kill(): Promise<void>
}

/** Wall time after which a job is stuck, if it has no limit of its own. */
const STUCK_MS = 300_000
const HEAP_MB = 512
/** A process larger than this after a job is replaced, because WebAssembly never returns memory. */
const KEPT_MB = 800
/** Lowers the priority, so that requests, calls and their audio take precedence. */
const NICENESS = 5
/** The only variables passed on: a process that decodes untrusted media must not have the server's secrets. */
const ENVIRONMENT = [
  'PATH',
  'LD_LIBRARY_PATH',
  'NODE_OPTIONS',
  'NODE_PATH',
  // Halves the work of a start.
  'NODE_COMPILE_CACHE',
  'TMPDIR',
  'TMP',
  'TEMP',
]

export function startCheckProcess(engines: EngineSettings): CheckProcess {
  const file = import.meta.url.endsWith('.ts') ? './check-process.ts' : './check-process.js'
  const settings: ProcessSettings = { parentId: process.pid, engines }
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(settings)], {
    execArgv: [
      // Resolve workspaces to their sources if this process does.
      ...process.execArgv.filter((option) => option.startsWith('--conditions=')),
      `--max-old-space-size=${HEAP_MB}`,
    ],
    env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
    // Discard the output of libraries, which may quote a person's document.
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
      // The process could not be started, or does not accept messages.
      return { kind: 'crashed' } as const
    } finally {
      end()
    }
  }
  const ended = waitForEnd()
  // `ended` reports the first error; ignore the others.
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
      }, request.limits.wallMs ?? STUCK_MS)
      setReferenced(child, true)
      // Ignore a failure to send: the process has then ended.
      child.send(request, () => undefined)
      const outcome = await Promise.race([reported.promise, ended])
      clearTimeout(stuck)
      child.off('message', listen)
      setReferenced(child, false)
      return outcome
    },
    isFit: () => isAlive && memoryMb < KEPT_MB,
    async kill() {
      // Keep the parent process alive until the end.
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
    case SIGNAL_OF.memory:
      return { kind: 'failed', engineProblem: null, isTooLarge: true } as const
    case 'SIGKILL':
      return { kind: 'killed' } as const
    default:
      return { kind: 'crashed' } as const
  }
}

/** Lowers the priority. Must run at once, because threads inherit the priority of their creator. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(19, getPriority() + NICENESS))
  } catch {
    // The process has ended already, or the system has no priorities. Nothing else depends on them.
  }
}

/** Sets whether the child keeps its parent alive; an idle one must not. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  if (isReferenced) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}
