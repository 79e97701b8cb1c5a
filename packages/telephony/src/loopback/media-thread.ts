import { Worker } from 'node:worker_threads'
import type { MediaCommand, MediaReport, MediaWorkerData } from './messages.ts'

/** The one worker that carries all calls: started when it is needed, and again after a crash. */
export interface MediaThread {
  post(command: MediaCommand): void
  /** Lets the process end although the worker is there; the next `post` takes it back. */
  rest(): void
  stop(): Promise<void>
}

// The worker lies beside this file, as source and as build.
const DEFAULT_WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './media-worker.ts' : './media-worker.js',
  import.meta.url,
)

/** Makes a media thread that does not run yet. `onCrash` means that all it carried is lost. */
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
