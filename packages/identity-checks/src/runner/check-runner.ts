import { Worker } from 'node:worker_threads'
import type { CheckResult } from '../check.ts'
import type { EngineSettings } from '../load-engines.ts'
import type { CheckFiles, ExtractedFields, WorkerAnswer, WorkerRequest } from './job.ts'

/** Disposing of it ends the checks that run; whoever waits for them sees a `CheckRunError`. */
export interface CheckRunner extends AsyncDisposable {
  /**
   * Runs all checks, in a thread of its own; waits for a free one.
   *
   * @param tell - is called with each result as soon as it is there
   * @throws CheckRunError
   */
  run(options: {
    files: CheckFiles
    /** YYYY-MM-DD. */
    today: string
    tell: (result: CheckResult) => void
  }): Promise<ExtractedFields | null>
  /**
   * Makes the engines in one thread, to know that they can be made.
   *
   * @throws CheckRunError `engine`, whose message names what is missing
   */
  prepare(): Promise<void>
  /** Looks for a recapture alone, if a thread is free; null where none is. */
  checkRecaptureNow(frontImage: string): Promise<CheckResult | null>
}

export class CheckRunError extends Error {
  override readonly name = 'CheckRunError'
  readonly code: 'timeout' | 'failed' | 'engine'

  constructor(code: CheckRunError['code'], message?: string) {
    super(message ?? (code === 'timeout' ? 'The checks took too long' : 'The checks failed'))
    this.code = code
  }
}

const TIMEOUT_MS = 60_000
const MEMORY_MB = 1024

/**
 * Makes a runner of checks in a few threads. One that takes too long is ended and made anew.
 *
 * @example
 * await using runner = createCheckRunner({ threads: 2 })
 */
export function createCheckRunner(options: {
  threads: number
  timeoutMs?: number
  engines?: EngineSettings
}): CheckRunner {
  const { threads, timeoutMs = TIMEOUT_MS, engines = {} } = options
  const idle: Worker[] = []
  const all = new Set<Worker>()
  let isClosed = false
  const waiting: (() => void)[] = []
  let busy = 0

  async function take(): Promise<Worker> {
    if (busy < threads) busy++
    // A place is handed straight to the next one that waits, so that a newcomer cannot take it.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    if (!isClosed) return idle.pop() ?? start()
    giveBack(null)
    throw new CheckRunError('failed', 'The runner is closed')
  }
  function start(): Worker {
    const worker = startWorker(engines)
    all.add(worker)
    worker.once('exit', () => all.delete(worker))
    return worker
  }
  function giveBack(worker: Worker | null): void {
    if (worker !== null) idle.push(worker)
    const next = waiting.shift()
    if (next) next()
    else busy--
  }

  async function ask(
    request: WorkerRequest,
    tell: (result: CheckResult) => void,
  ): Promise<ExtractedFields | null> {
    const worker = await take()
    const done = Promise.withResolvers<ExtractedFields | null>()
    const onMessage = (answer: WorkerAnswer) => {
      switch (answer.kind) {
        case 'result':
          return tell(answer.result)
        case 'done':
          return done.resolve(answer.extracted)
        case 'failed':
          return done.reject(
            answer.engineProblem === null
              ? new CheckRunError('failed')
              : new CheckRunError('engine', answer.engineProblem),
          )
      }
    }
    const onExit = () => done.reject(new CheckRunError('failed'))
    const timer = setTimeout(() => done.reject(new CheckRunError('timeout')), timeoutMs)
    worker.on('message', onMessage)
    worker.on('error', onExit)
    worker.on('exit', onExit)
    worker.ref()
    worker.postMessage(request)
    let isWell = true
    try {
      return await done.promise
    } catch (error) {
      isWell = false
      throw error
    } finally {
      clearTimeout(timer)
      worker.off('message', onMessage)
      worker.off('error', onExit)
      worker.off('exit', onExit)
      worker.unref()
      if (!isWell) void worker.terminate()
      giveBack(isWell ? worker : null)
    }
  }

  return {
    async prepare() {
      await ask({ kind: 'prepare' }, () => undefined)
    },
    run: ({ files, today, tell }) => ask({ kind: 'all', files, today }, tell),
    async checkRecaptureNow(frontImage) {
      if (busy >= threads) return null
      let found: CheckResult | null = null
      await ask({ kind: 'recapture', frontImage }, (result) => {
        found = result
      })
      return found
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

function startWorker(engines: EngineSettings): Worker {
  const file = import.meta.url.endsWith('.ts') ? './check-worker.ts' : './check-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: engines,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  worker.unref()
  return worker
}
