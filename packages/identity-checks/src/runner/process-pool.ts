import { createTurns } from '@vaani/turns'
import type { EngineSettings } from '../load-engines.ts'
import type { JobName, Outcome, OutputOf, RequestOf } from './job.ts'
import { type CheckProcess, startCheckProcess } from './start-check-process.ts'

/** Jobs of an owner: those that a client waits for precede the checks. */
export type QueueName = 'intake' | 'checks'

export interface ShareRequest {
  owner: string
  queue: QueueName
  maxWaitMs: number
  signal?: AbortSignal | undefined
}

/** Processes that each do one job at a time, in places shared between owners. */
export interface ProcessPool extends AsyncDisposable {
  /** @throws TurnsError if no place became available */
  run<Name extends JobName>(request: RequestOf<Name>, share: ShareRequest): Promise<Outcome<OutputOf<Name>>>
}

/** Maximum waiting jobs per owner and queue: enough for a hundred concurrent submissions of three or four jobs each. */
const MAX_WAITING = 512

export function createProcessPool(options: {
  places: number
  engines: EngineSettings
  maxWaiting?: number
  idleMs?: number
}): ProcessPool {
  const { places, engines, maxWaiting = MAX_WAITING, idleMs } = options
  // No owner can hold all places, so no other waits for it to finish.
  const turns = createTurns({
    places,
    placesPerTenant: Math.max(1, places - 1),
    maxWaitingPerTenant: maxWaiting,
  })
  const all = new Set<CheckProcess>()
  const idle: CheckProcess[] = []
  let isClosed = false

  function start(): CheckProcess {
    const process = startCheckProcess(engines)
    all.add(process)
    return process
  }

  let rest: NodeJS.Timeout | undefined
  /** Ends idle processes after a time without a job, which returns their memory. */
  function restLater(): void {
    if (idleMs === undefined) return
    clearTimeout(rest)
    rest = setTimeout(() => {
      for (const process of idle.splice(0)) void process.kill().finally(() => all.delete(process))
    }, idleMs).unref()
  }

  /** Takes an idle process and discards those that were killed in the meantime. */
  function takeIdle(): CheckProcess | undefined {
    const process = idle.pop()
    if (process === undefined || process.isFit()) return process
    all.delete(process)
    return takeIdle()
  }

  /** Starts a successor. The job's owner holds the place until then, so that no other owner waits for it. */
  async function replace(process: CheckProcess): Promise<void> {
    await process.kill()
    all.delete(process)
    if (isClosed) return
    const successor = start()
    await successor.ready
    if (successor.isFit()) idle.push(successor)
    else all.delete(successor)
  }

  return {
    async run(request, { owner, queue, maxWaitMs, signal }) {
      const place = await turns.take({ tenant: owner, isUrgent: queue === 'intake', maxWaitMs, signal })
      if (isClosed) {
        place[Symbol.dispose]()
        return { kind: 'killed' }
      }
      const process = takeIdle() ?? start()
      const abort = () => void process.kill()
      signal?.addEventListener('abort', abort)
      if (signal?.aborted === true) abort()
      const outcome = await process.ask(request)
      signal?.removeEventListener('abort', abort)
      restLater()
      if (process.isFit()) {
        idle.push(process)
        place[Symbol.dispose]()
      } else void replace(process).finally(() => place[Symbol.dispose]())
      return outcome
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(rest)
      await Promise.all([...all].map((process) => process.kill()))
    },
  }
}
