import { Worker } from 'node:worker_threads'
import type { MediaCommand, MediaReport, MediaWorkerData } from './messages.ts'

/** The worker that carries all calls. It starts on demand, also after a crash. */
export interface MediaThread {
  post(command: MediaCommand): void
  /** Lets the process exit while the worker is idle, until the next `post`. */
  rest(): void
  stop(): Promise<void>
}

// The worker lies beside this file, as TypeScript source or as a build.
const DEFAULT_WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './media-worker.ts' : './media-worker.js',
  import.meta.url,
)

/** Creates a media thread without starting it. When `onCrash` is called, all calls of the worker are lost. */
export function createMediaThread(options: {
  readonly workerUrl?: URL | undefined
  readonly workerData: MediaWorkerData
  readonly onReport: (report: MediaReport) => void
  readonly onCrash: (error: Error) => void
}): MediaThread {
  const { workerUrl = DEFAULT_WORKER_URL, workerData, onReport, onCrash } = options
  let current: Worker | undefined

  const start = () => {
    const worker = new Worker(workerUrl, { workerData, name: 'loopback-phone' })
    let reason: Error | undefined
    worker.on('message', onReport)
    worker.on('error', (error) => (reason = error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', (code) => {
      if (current !== worker) return
      current = undefined
      onCrash(reason ?? new Error(`The media worker ended with code ${code}`))
    })
    return worker
  }

  return {
    post(command) {
      current ??= start()
      current.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      current.postMessage(command)
    },
    rest: () => current?.unref(),
    async stop() {
      const worker = current
      current = undefined
      await worker?.terminate()
    },
  }
}
