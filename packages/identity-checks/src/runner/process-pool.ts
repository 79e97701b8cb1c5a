import type { EngineSettings } from '../load-engines.ts'
import type { JobName, Outcome, OutputOf, RequestOf } from './job.ts'
import { type ShareRequest, createShares } from './shares.ts'
import { type CheckProcess, startCheckProcess } from './start-check-process.ts'

/** Processes that do jobs, one at a time each, in places that their owners share. */
export interface ProcessPool extends AsyncDisposable {
  /** @throws SharesError if there was no place for it */
  run<Name extends JobName>(request: RequestOf<Name>, share: ShareRequest): Promise<Outcome<OutputOf<Name>>>
}

/** Jobs of one owner and queue that may wait: those of a hundred submissions at once, of three or four each. */
const MAX_WAITING = 512

export function createProcessPool(options: { places: number; engines: EngineSettings }): ProcessPool {
  const { places, engines } = options
  const shares = createShares({ places, perOwner: Math.max(1, places - 1), maxWaiting: MAX_WAITING })
  const all = new Set<CheckProcess>()
  const idle: CheckProcess[] = []
  let isClosed = false

  function start(): CheckProcess {
    const process = startCheckProcess(engines)
    all.add(process)
    return process
  }

  /** One that was killed meanwhile is left out. */
  function takeIdle(): CheckProcess | undefined {
    const process = idle.pop()
    if (process === undefined || process.isFit()) return process
    all.delete(process)
    return takeIdle()
  }

  /** The owner of the job holds the place until there is another process, so that only it waits for that. */
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
    async run(request, share) {
      const place = await shares.take(share)
      if (isClosed) {
        place.release()
        return { kind: 'killed' }
      }
      const process = takeIdle() ?? start()
      const outcome = await process.ask(request)
      if (process.isFit()) {
        idle.push(process)
        place.release()
      } else void replace(process).finally(() => place.release())
      return outcome
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await Promise.all([...all].map((process) => process.kill()))
    },
  }
}
