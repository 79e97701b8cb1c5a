import { Worker } from 'node:worker_threads'
import { SpeechError } from '@vaani/speech'
import { createTaskQueue, type TaskQueue } from '@vaani/speech/engine-kit'
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
/** Speech after which a segment makes way for listeners who would hear a gap sooner. It takes 2 ms. */
const SLICE_SECONDS = 0.4
/** Consecutive threads that end before they are ready until the pool stops replacing them. */
const MAX_FAILED_STARTS = 3

/** A requested segment and the receiver of its samples. */
export interface Task {
  job: Omit<Job, 'from'>
  /** Samples that were delivered before a pause. */
  from?: number
  tenant: string
  /** Until when the listener has audio; undefined if nobody listens. */
  heardUntilMs?: number
  onChunk(samples: Int16Array, words: readonly MarkedWord[]): void
  onEnd(error?: SpeechError): void
}

export interface EspeakPool {
  /**
   * @param aheadMs audio that the listener has in hand
   * @throws SpeechError `engine_busy`, `engine_closed`
   */
  add(task: Task, priority: 'first' | 'later', aheadMs?: number): void
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
export const createPool = (options: PoolOptions): EspeakPool => new ThreadPool(options)

class ThreadPool implements EspeakPool {
  readonly #workers: number
  readonly #jobLimitMs: number
  readonly #sliceSamples: number
  readonly #workerUrl: URL
  readonly #queue: TaskQueue<Task>
  readonly #slots: Slot[] = []
  readonly #busy = new Set<Slot>()
  readonly #nowMs: () => number
  readonly #waitingUrgently = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  #failedStarts = 0
  #closed = false

  constructor(options: PoolOptions) {
    const {
      workers,
      warmWorkers = workers,
      jobLimitMs = JOB_LIMIT_MS,
      sliceSamples = Math.round(SLICE_SECONDS * SAMPLE_RATE_HZ),
      workerUrl = WORKER_URL,
      nowMs = () => performance.now(),
    } = options
    this.#workers = workers
    this.#jobLimitMs = jobLimitMs
    this.#sliceSamples = sliceSamples
    this.#workerUrl = workerUrl
    this.#nowMs = nowMs
    this.#queue = createTaskQueue<Task>(nowMs)
    for (let index = 0; index < Math.min(warmWorkers, workers); index++) this.#start()
  }

  add(task: Task, priority: 'first' | 'later', aheadMs?: number): void {
    if (this.#closed) throw this.#closedError()
    if (this.#failedStarts >= MAX_FAILED_STARTS && this.#slots.length === 0)
      throw new SpeechError('engine_failed', 'The engine failed to start')
    const { tenant } = task
    const isFull = this.#queue.size() >= MAX_QUEUED[priority]
    if (isFull || (priority === 'first' && this.#queue.sizeOf(tenant) >= MAX_QUEUED_PER_TENANT))
      throw new SpeechError('engine_busy', 'Too many segments are queued')
    if (aheadMs !== undefined) task.heardUntilMs = this.#nowMs() + aheadMs
    this.#queue.add({ task, priority, tenant, aheadMs })
    this.#showWaiting()
    // A worker that is still starting must keep the process alive.
    for (const slot of this.#slots) if (!slot.ready) slot.worker.ref()
    for (const slot of this.#slots) this.#next(slot)
    this.#startIfNeeded()
  }

  cancel(task: Task): void {
    this.#queue.remove(task)
    this.#showWaiting()
    for (const slot of this.#slots)
      if (slot.task === task) {
        Atomics.store(slot.canceled, 0, task.job.id)
        // The worker is free once it replies.
        slot.task = undefined
      }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#endAll(this.#closedError())
    // Keep the process alive until this resolves.
    for (const { worker, limit } of this.#slots) {
      clearTimeout(limit)
      worker.ref()
    }
    await Promise.all(this.#slots.map(({ worker }) => worker.terminate()))
  }

  /** Shows the threads how many listeners would soon hear a gap. */
  #showWaiting(): number {
    return Atomics.store(new Int32Array(this.#waitingUrgently), 0, this.#queue.urgentSize())
  }

  #closedError(): SpeechError {
    return new SpeechError('engine_closed', 'The engine is closed')
  }

  #start(): void {
    const canceled = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
    const settings: WorkerSettings = {
      canceled,
      waitingUrgently: this.#waitingUrgently,
      sliceSamples: this.#sliceSamples,
    }
    const worker = new Worker(this.#workerUrl, { workerData: settings })
    const slot: Slot = {
      worker,
      canceled: new Int32Array(canceled),
      task: undefined,
      ready: false,
      limit: undefined,
    }
    this.#slots.push(slot)
    worker.on('message', (reply: Reply) => this.#receive(slot, reply))
    let cause: unknown
    worker.on('error', (error) => (cause = error))
    worker.on('exit', () => this.#replace(slot, cause))
    // An idle engine must not keep the process alive; queued work must.
    if (this.#queue.size() === 0) worker.unref()
  }

  #receive(slot: Slot, reply: Reply): void {
    if (reply.type === 'ready') {
      slot.ready = true
      this.#failedStarts = 0
      return this.#next(slot)
    }
    // Messages of a canceled task may still be in flight.
    const task = slot.task?.job.id === reply.id ? slot.task : undefined
    if (reply.type === 'chunk') {
      this.#showWaiting()
      return task?.onChunk(reply.samples, reply.words)
    }
    this.#release(slot)
    if (reply.type === 'paused') {
      if (task !== undefined) this.#resume(task, reply)
      return this.#next(slot)
    }
    task?.onEnd(
      reply.type === 'failed' ? new SpeechError('engine_failed', 'The engine refused the voice') : undefined,
    )
    this.#next(slot)
  }

  #release(slot: Slot): void {
    clearTimeout(slot.limit)
    slot.task = undefined
    this.#busy.delete(slot)
    if (!this.#closed && this.#busy.size === 0 && this.#queue.size() === 0)
      for (const { worker } of this.#slots) worker.unref()
  }

  /** Queues the rest of a task, whose listener has what was made of it. */
  #resume(task: Task, { samples: from, continued }: Extract<Reply, { type: 'paused' }>): void {
    const { tenant, heardUntilMs, from: known = 0 } = task
    const { hold: _, ...job } = task.job
    task.job = { ...job, ...continued }
    task.from = from
    if (heardUntilMs === undefined) return this.#queue.add({ task, priority: 'later', tenant })
    const now = this.#nowMs()
    task.heardUntilMs = Math.max(heardUntilMs, now) + ((from - known) / SAMPLE_RATE_HZ) * 1000
    this.#queue.add({ task, priority: 'later', tenant, aheadMs: task.heardUntilMs - now })
  }

  #next(slot: Slot): void {
    if (!slot.ready || this.#busy.has(slot)) return
    const task = this.#queue.take()
    this.#showWaiting()
    if (task === undefined) return
    slot.task = task
    this.#busy.add(slot)
    slot.worker.ref()
    // The thread's exit fails the task and starts another thread.
    slot.limit = setTimeout(() => void slot.worker.terminate(), this.#jobLimitMs)
    const job: Job = { ...task.job, from: task.from ?? 0 }
    slot.worker.postMessage(job)
  }

  #replace(slot: Slot, cause: unknown): void {
    this.#slots.splice(this.#slots.indexOf(slot), 1)
    const { task } = slot
    this.#release(slot)
    if (this.#closed) return
    task?.onEnd(new SpeechError('engine_failed', 'The thread of the engine ended', { cause }))
    if (!slot.ready && ++this.#failedStarts >= MAX_FAILED_STARTS) {
      if (this.#slots.length === 0)
        this.#endAll(new SpeechError('engine_failed', 'The engine failed to start', { cause }))
      return
    }
    this.#start()
  }

  #endAll(error: SpeechError): void {
    for (const { task } of this.#slots) task?.onEnd(error)
    for (let task = this.#queue.take(); task !== undefined; task = this.#queue.take()) task.onEnd(error)
  }

  /** Starts another worker if segments wait, every worker is busy or still starting, and there may be more. */
  #startIfNeeded(): void {
    const starting = this.#slots.filter(({ ready }) => !ready).length
    if (this.#slots.length < this.#workers && this.#queue.size() > starting) this.#start()
  }
}
