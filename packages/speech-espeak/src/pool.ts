import { Worker } from 'node:worker_threads'
import { SpeechError } from '@vaani/speech'
import { createTaskQueue } from '@vaani/speech/engine-kit'
import { type Job, type MarkedWord, type Reply, SAMPLE_RATE_HZ, type WorkerSettings } from './messages.ts'

/**
 * Queued segments beyond which no new speech begins (`first`: some seconds of work for each worker) and beyond which
 * speech that has begun is refused too (`later`). The second bound is higher, so that streams are refused at their start
 * rather than cut off.
 */
const MAX_QUEUED = { first: 2000, later: 10_000 } as const
/** Queued segments of one tenant beyond which no new speech of it begins. */
const MAX_QUEUED_PER_TENANT = 500
/** A hundred times the duration of the longest segment. A thread that takes longer is replaced. */
const JOB_LIMIT_MS = 30_000
/**
 * Speech after which a segment makes way for streams that wait for their first sound. It takes 2 ms, and its rest waits for
 * half of its duration before it takes turns with them.
 */
const SLICE_SECONDS = 0.4
/** Consecutive threads that end before they are ready until the pool stops replacing them. */
const MAX_FAILED_STARTS = 3

/** A requested segment and the receiver of its samples. */
export interface Task {
  job: Omit<Job, 'from'>
  /** Samples that were delivered before a pause. */
  from?: number
  tenant: string
  onChunk(samples: Int16Array, words: readonly MarkedWord[]): void
  onEnd(error?: SpeechError): void
}

export interface EspeakPool {
  /** @throws SpeechError `engine_busy`, `engine_closed` */
  add(task: Task, priority: 'first' | 'later'): void
  /** Removes a queued task or stops a running one. Its callbacks are not called again. */
  cancel(task: Task): void
  close(): Promise<void>
}

interface Slot {
  worker: Worker
  canceled: Int32Array
  task: Task | undefined
  ready: boolean
  limit: NodeJS.Timeout | undefined
}

export interface PoolOptions {
  workers: number
  /** Workers that start at once; the others start when segments wait. Default: all. */
  warmWorkers?: number
  jobLimitMs?: number
  sliceSamples?: number
  workerUrl?: URL
  nowMs?: () => number
}

// The worker lies beside this file, as TypeScript source or as a build.
const WORKER_URL = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/** Creates a pool of worker threads, each of which speaks one segment at a time in the order of the queue. */
export function createPool(options: PoolOptions): EspeakPool {
  const {
    workers,
    warmWorkers = workers,
    jobLimitMs = JOB_LIMIT_MS,
    sliceSamples = Math.round(SLICE_SECONDS * SAMPLE_RATE_HZ),
    workerUrl = WORKER_URL,
    nowMs = () => performance.now(),
  } = options
  const queue = createTaskQueue<Task>(nowMs)
  const slots: Slot[] = []
  const busy = new Set<Slot>()
  const waitingFirst = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  let failedStarts = 0
  let closed = false

  /** Shows the threads how many streams wait for their first sound. */
  const showWaiting = () => Atomics.store(new Int32Array(waitingFirst), 0, queue.firstSize())
  const closedError = () => new SpeechError('engine_closed', 'The engine is closed')

  function start(): void {
    const canceled = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
    const settings: WorkerSettings = { canceled, waitingFirst, sliceSamples }
    const worker = new Worker(workerUrl, { workerData: settings })
    const slot: Slot = {
      worker,
      canceled: new Int32Array(canceled),
      task: undefined,
      ready: false,
      limit: undefined,
    }
    slots.push(slot)
    worker.on('message', (reply: Reply) => receive(slot, reply))
    let cause: unknown
    worker.on('error', (error) => (cause = error))
    worker.on('exit', () => replace(slot, cause))
    // An idle engine must not keep the process alive; queued work must.
    if (queue.size() === 0) worker.unref()
  }

  function receive(slot: Slot, reply: Reply): void {
    if (reply.type === 'ready') {
      slot.ready = true
      failedStarts = 0
      return next(slot)
    }
    // Messages of a canceled task may still be in flight.
    const task = slot.task?.job.id === reply.id ? slot.task : undefined
    if (reply.type === 'chunk') return task?.onChunk(reply.samples, reply.words)
    release(slot)
    if (reply.type === 'paused') {
      if (task !== undefined) resume(task, reply.samples)
      return next(slot)
    }
    task?.onEnd(
      reply.type === 'failed' ? new SpeechError('engine_failed', 'The engine refused the voice') : undefined,
    )
    next(slot)
  }

  function release(slot: Slot): void {
    clearTimeout(slot.limit)
    slot.task = undefined
    busy.delete(slot)
    if (!closed && busy.size === 0 && queue.size() === 0) for (const { worker } of slots) worker.unref()
  }

  /** Queues the rest of a task, whose start has been heard. */
  function resume(task: Task, from: number): void {
    task.from = from
    queue.add({ task, priority: 'later', tenant: task.tenant, resumed: true })
  }

  function next(slot: Slot): void {
    if (!slot.ready || busy.has(slot)) return
    const task = queue.take()
    showWaiting()
    if (task === undefined) return
    slot.task = task
    busy.add(slot)
    slot.worker.ref()
    // The thread's exit fails the task and starts another thread.
    slot.limit = setTimeout(() => void slot.worker.terminate(), jobLimitMs)
    const job: Job = { ...task.job, from: task.from ?? 0 }
    slot.worker.postMessage(job)
  }

  function replace(slot: Slot, cause: unknown): void {
    slots.splice(slots.indexOf(slot), 1)
    const { task } = slot
    release(slot)
    if (closed) return
    task?.onEnd(new SpeechError('engine_failed', 'The thread of the engine ended', { cause }))
    if (!slot.ready && ++failedStarts >= MAX_FAILED_STARTS) {
      if (slots.length === 0)
        endAll(new SpeechError('engine_failed', 'The engine failed to start', { cause }))
      return
    }
    start()
  }

  function endAll(error: SpeechError): void {
    for (const { task } of slots) task?.onEnd(error)
    for (let task = queue.take(); task !== undefined; task = queue.take()) task.onEnd(error)
  }

  /** Starts another worker if segments wait, every worker is busy or still starting, and there may be more. */
  function startIfNeeded(): void {
    const starting = slots.filter(({ ready }) => !ready).length
    if (slots.length < workers && queue.size() > starting) start()
  }

  for (let index = 0; index < Math.min(warmWorkers, workers); index++) start()

  return {
    add(task, priority) {
      if (closed) throw closedError()
      if (failedStarts >= MAX_FAILED_STARTS && slots.length === 0)
        throw new SpeechError('engine_failed', 'The engine failed to start')
      const { tenant } = task
      const isFull = queue.size() >= MAX_QUEUED[priority]
      if (isFull || (priority === 'first' && queue.sizeOf(tenant) >= MAX_QUEUED_PER_TENANT))
        throw new SpeechError('engine_busy', 'Too many segments are queued')
      queue.add({ task, priority, tenant })
      showWaiting()
      // A worker that is still starting must keep the process alive.
      for (const slot of slots) if (!slot.ready) slot.worker.ref()
      for (const slot of slots) next(slot)
      startIfNeeded()
    },
    cancel(task) {
      queue.remove(task)
      showWaiting()
      for (const slot of slots)
        if (slot.task === task) {
          Atomics.store(slot.canceled, 0, task.job.id)
          // The worker is free once it replies.
          slot.task = undefined
        }
    },
    async close() {
      if (closed) return
      closed = true
      endAll(closedError())
      // Keep the process alive until this resolves.
      for (const { worker, limit } of slots) {
        clearTimeout(limit)
        worker.ref()
      }
      await Promise.all(slots.map(({ worker }) => worker.terminate()))
    },
  }
}
