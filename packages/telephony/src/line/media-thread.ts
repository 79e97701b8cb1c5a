import { Worker } from 'node:worker_threads'

/** The worker that carries all calls. It starts on demand, also after a crash. */
export interface MediaThread<Command> {
  post(command: Command): void
  isRunning(): boolean
  /** Lets the process exit while the worker is idle, until the next `post`. */
  rest(): void
  stop(): Promise<void>
}

/** The worker to start: its file, its data, and its name in a debugger. */
export interface MediaThreadWorker {
  readonly url: URL
  readonly data: unknown
  readonly name: string
}

/** Creates a media thread without starting it. When `onCrash` is called, all calls of the worker are lost. */
export function createMediaThread<Command, Report>(options: {
  readonly worker: MediaThreadWorker
  readonly onReport: (report: Report) => void
  readonly onCrash: (error: Error) => void
}): MediaThread<Command> {
  const { worker: wanted, onReport, onCrash } = options
  let current: Worker | undefined

  const start = () => {
    const worker = new Worker(wanted.url, { workerData: wanted.data, name: wanted.name })
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
    isRunning: () => current !== undefined,
    rest: () => current?.unref(),
    async stop() {
      const worker = current
      current = undefined
      await worker?.terminate()
    },
  }
}
