import { Worker } from 'node:worker_threads'
import type { ExamineReply, ExamineRequest } from './examine-messages.ts'

/** Five minutes of recordings take about six seconds. Decoders have limits of their own. */
const LIMIT_MS = 120_000
/** Loading a thread takes 0.25 s, and keeping it some 50 MB. */
const IDLE_MS = 30_000

// The worker lies beside this file, as TypeScript source or as a build.
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './examine-worker.ts' : './examine-worker.js',
  import.meta.url,
)

/** Threads that do one examination at a time. A thread waits a while for its next one, and then ends. */
export interface ExamineThreads {
  /**
   * Examines in an idle thread, or in a new one: callers bound how many there are. Rejects if the thread ends before it replies,
   * or takes too long.
   */
  examine(request: ExamineRequest): Promise<ExamineReply>
  /** Ends all threads. Idempotent. */
  close(): Promise<void>
}

/** Creates threads, each of which starts when an examination needs it. */
export function createExamineThreads(
  options: { limitMs?: number; idleMs?: number; workerUrl?: URL } = {},
): ExamineThreads {
  const { limitMs = LIMIT_MS, idleMs = IDLE_MS, workerUrl = WORKER_URL } = options
  const all = new Set<Worker>()
  /** Those without work, with the timers that end them. */
  const idle = new Map<Worker, NodeJS.Timeout>()
  let isClosed = false

  function start(): Worker {
    const worker = new Worker(workerUrl)
    all.add(worker)
    // An idle thread that fails is not missed; a working one has a listener of its own.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      all.delete(worker)
      takeFromIdle(worker)
    })
    return worker
  }

  function takeFromIdle(worker: Worker): Worker {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    return worker
  }

  /** Returns the thread that has been idle for the shortest time, so that the others end. */
  function takeIdle(): Worker | undefined {
    const worker = [...idle.keys()].at(-1)
    return worker && takeFromIdle(worker)
  }

  function keep(worker: Worker): void {
    if (isClosed || !all.has(worker)) return
    // An idle thread must not keep the process alive.
    worker.unref()
    idle.set(worker, setTimeout(() => void takeFromIdle(worker).terminate(), idleMs).unref())
  }

  return {
    async examine(request) {
      if (isClosed) throw new Error('The threads are closed')
      const worker = takeIdle() ?? start()
      const { promise, resolve, reject } = Promise.withResolvers<ExamineReply>()
      const onEnd = () => reject(new Error('The thread ended before it replied'))
      const limit = setTimeout(() => void worker.terminate(), limitMs)
      worker.once('message', resolve).once('error', reject).once('exit', onEnd)
      worker.ref()
      worker.postMessage(request)
      let isFit = false
      try {
        const reply = await promise
        // What failed unexpectedly may have left the thread broken.
        isFit = reply.type !== 'failed'
        return reply
      } finally {
        clearTimeout(limit)
        worker.off('message', resolve).off('error', reject).off('exit', onEnd)
        if (isFit) keep(worker)
        else await worker.terminate()
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...all].map((worker) => takeFromIdle(worker).terminate()))
    },
  }
}
