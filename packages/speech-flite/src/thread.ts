import { Worker } from 'node:worker_threads'
import { SpeechError } from '@vaani/speech'
import type { Job, Reply, Spoken, ThreadSettings } from './messages.ts'

/** A thread that speaks one phrase at a time. */
export interface Thread {
  /** Whether it can speak another phrase. */
  isAlive(): boolean
  /** @throws SpeechError `engine_failed` if Flite fails, or the thread ends or takes too long */
  speak(job: Job): Promise<Spoken>
  /** Ends the thread, and fails the phrase in progress. */
  end(): Promise<void>
}

export interface ThreadOptions {
  settings: ThreadSettings
  /** A thread that takes longer for a phrase is ended. */
  jobLimitMs: number
  workerUrl?: URL
}

// The worker lies beside this file, as TypeScript source or as a build.
const WORKER_URL = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

export function startThread({ settings, jobLimitMs, workerUrl = WORKER_URL }: ThreadOptions): Thread {
  const worker = new Worker(workerUrl, { workerData: settings })
  let current: { id: number; spoken: PromiseWithResolvers<Spoken> } | undefined
  let isAlive = true
  const ready = Promise.withResolvers<void>()
  let cause: unknown
  worker.on('message', (reply: Reply) => {
    if (reply.type === 'ready') return ready.resolve()
    if (reply.id !== current?.id) return
    const { spoken } = current
    current = undefined
    if (reply.type === 'spoken') spoken.resolve({ samples: reply.samples, starts: reply.starts })
    else spoken.reject(new SpeechError('engine_failed', 'Flite has failed on the phrase'))
  })
  worker.on('error', (error) => (cause = error))
  worker.on('exit', () => {
    isAlive = false
    ready.resolve()
    current?.spoken.reject(new SpeechError('engine_failed', 'The thread of the engine ended', { cause }))
  })
  // An idle engine must not keep the process alive; a phrase must.
  worker.unref()
  return {
    isAlive: () => isAlive,
    async speak(job) {
      const spoken = Promise.withResolvers<Spoken>()
      current = { id: job.id, spoken }
      worker.ref()
      worker.postMessage(job)
      let limit: NodeJS.Timeout | undefined
      try {
        // A start is no part of the phrase.
        await ready.promise
        limit = setTimeout(() => void worker.terminate(), jobLimitMs)
        return await spoken.promise
      } finally {
        clearTimeout(limit)
        worker.unref()
      }
    },
    async end() {
      worker.ref()
      await worker.terminate()
    },
  }
}
