import { Worker } from 'node:worker_threads'
import { SpeechError } from '@vaani/speech'
import type { Job, Reply, WorkerSettings } from './messages.ts'

/** Past it the engine says that it is busy: some seconds of work for each worker. */
const MAX_QUEUED = 2000
/** A worker that dies again at once is not started for ever. */
const MAX_FAILED_STARTS = 3

/** A segment that was asked for, and who is told of its sound. */
export interface Task {
  job: Job
  onChunk(samples: Int16Array): void
  onEnd(error?: SpeechError): void
}

export interface EspeakPool {
  /** @throws SpeechError `engine_busy`, `engine_closed` */
  add(task: Task, priority: 'first' | 'later'): void
  /** Drops a task, or stops it where it is being worked on; it is told nothing more. */
  cancel(task: Task): void
  close(): Promise<void>
}

interface Slot {
  worker: Worker
  canceled: Int32Array
  task: Task | undefined
  ready: boolean
}

// From source the worker is TypeScript too, and beside this file either way.
const WORKER_URL = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/** Worker threads that each speak a segment at a time. First segments of streams go before later ones. */
export function createPool(workers: number): EspeakPool {
  const queues = { first: [] as Task[], later: [] as Task[] }
  const slots: Slot[] = []
  let failedStarts = 0
  let closed = false

  const closedError = () => new SpeechError('engine_closed', 'The engine is closed')

  function start(): void {
    const canceled = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
    const settings: WorkerSettings = { canceled }
    const worker = new Worker(WORKER_URL, { workerData: settings })
    const slot: Slot = { worker, canceled: new Int32Array(canceled), task: undefined, ready: false }
    slots.push(slot)
    worker.on('message', (reply: Reply) => receive(slot, reply))
    let cause: unknown
    worker.on('error', (error) => (cause = error))
    worker.on('exit', () => replace(slot, cause))
    // The process may end while the engine waits for work.
    worker.unref()
  }

  function receive(slot: Slot, reply: Reply): void {
    if (reply.type === 'ready') {
      slot.ready = true
      failedStarts = 0
      return next(slot)
    }
    // Of a task that was canceled, there are still messages under way.
    const task = slot.task?.job.id === reply.id ? slot.task : undefined
    if (reply.type === 'chunk') return task?.onChunk(reply.samples)
    release(slot)
    task?.onEnd(
      reply.type === 'failed' ? new SpeechError('engine_failed', 'The engine refused the voice') : undefined,
    )
    next(slot)
  }

  function release(slot: Slot): void {
    slot.task = undefined
    busy.delete(slot)
    if (!closed && busy.size === 0 && queued() === 0) for (const { worker } of slots) worker.unref()
  }

  const busy = new Set<Slot>()
  const queued = () => queues.first.length + queues.later.length

  function next(slot: Slot): void {
    if (!slot.ready || busy.has(slot)) return
    const task = queues.first.shift() ?? queues.later.shift()
    if (task === undefined) return
    slot.task = task
    busy.add(slot)
    slot.worker.ref()
    slot.worker.postMessage(task.job)
  }

  function replace(slot: Slot, cause: unknown): void {
    slots.splice(slots.indexOf(slot), 1)
    const { task } = slot
    release(slot)
    if (closed) return
    task?.onEnd(new SpeechError('engine_failed', 'The thread of the engine ended', { cause }))
    if (!slot.ready && ++failedStarts >= MAX_FAILED_STARTS) {
      if (slots.length === 0) endAll(new SpeechError('engine_failed', 'The engine does not start', { cause }))
      return
    }
    start()
  }

  function endAll(error: SpeechError): void {
    const tasks = [...slots.flatMap(({ task }) => task ?? []), ...queues.first, ...queues.later]
    queues.first = []
    queues.later = []
    for (const task of tasks) task.onEnd(error)
  }

  for (let index = 0; index < workers; index++) start()

  return {
    add(task, priority) {
      if (closed) throw closedError()
      if (slots.length === 0) throw new SpeechError('engine_failed', 'The engine does not start')
      if (queued() >= MAX_QUEUED) throw new SpeechError('engine_busy', 'Too much waits to be spoken')
      queues[priority].push(task)
      // Until a worker is ready, it must not let the process end.
      for (const slot of slots) if (!slot.ready) slot.worker.ref()
      for (const slot of slots) next(slot)
    },
    cancel(task) {
      for (const queue of [queues.first, queues.later]) {
        const index = queue.indexOf(task)
        if (index >= 0) queue.splice(index, 1)
      }
      for (const slot of slots)
        if (slot.task === task) {
          Atomics.store(slot.canceled, 0, task.job.id)
          // The worker is free once it has said so; the task hears no more of it.
          slot.task = undefined
        }
    },
    async close() {
      if (closed) return
      closed = true
      endAll(closedError())
      // Whoever awaits this must be told before the process ends.
      for (const { worker } of slots) worker.ref()
      await Promise.all(slots.map(({ worker }) => worker.terminate()))
    },
  }
}
