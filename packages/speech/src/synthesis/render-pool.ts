import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AacStreams } from './aac-streams.ts'
import { SpeechError } from '../speech-error.ts'
import type { RemoteFile, RemoteStream } from './remote-file.ts'
import type { MeasuredFile, RenderSettings } from './render-file.ts'
import type { RenderReply, RenderRequest } from './render-messages.ts'
import type { StreamRenderSettings } from './render-stream.ts'

/** Open files per thread beyond which no other begins. Each takes up to 3 MB, most of it the memory of its encoder. */
const MAX_FILES_PER_THREAD = 256
/** A thousand times the duration of the longest request. A thread that takes longer is replaced. */
const REQUEST_LIMIT_MS = 30_000

/** Threads that resample, level and encode files, so that this work does not hold back the thread of the requests. */
export interface RenderPool {
  /** @throws SpeechError `engine_busy` if too many files are open, `engine_closed` */
  open(settings: RenderSettings): RemoteFile
  /**
   * @param settings.tenant owner of the stream; each has its share of the processes that encode AAC
   * @throws SpeechError like `open`; `too_many_encoders` if the tenant has its share of AAC; `encoder_missing` if AAC is
   *   wanted and ffmpeg is not installed
   */
  openStream(settings: StreamRenderSettings & { tenant?: string | undefined }): Promise<RemoteStream>
  /** Fails all open files with `engine_closed`. Idempotent. */
  close(): Promise<void>
}

interface Waiting {
  resolve: (reply: Extract<RenderReply, { type: 'done' }>) => void
  reject: (error: SpeechError) => void
  limit: NodeJS.Timeout
}

interface Thread {
  worker: Worker
  files: number
  waiting: Map<number, Waiting>
}

type Call = RenderRequest extends infer Each
  ? Each extends RenderRequest
    ? Omit<Each, 'id' | 'file'>
    : never
  : never

// The worker lies beside this file, as TypeScript source or as a build.
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './render-worker.ts' : './render-worker.js',
  import.meta.url,
)

interface ThreadedRenderPoolOptions {
  threads?: number
  requestLimitMs?: number
  workerUrl?: URL
  ffmpeg?: string
}

/**
 * Creates a pool of threads, which start when files need them.
 *
 * @param options.threads - default: one fewer than the machine's cores, at least one
 * @param options.ffmpeg - path or name of the program that encodes AAC; default: `ffmpeg` on the PATH
 */
export const createRenderPool = (options: ThreadedRenderPoolOptions = {}): RenderPool =>
  new ThreadedRenderPool(options)

class ThreadedRenderPool implements RenderPool {
  readonly #maxThreads: number
  readonly #requestLimitMs: number
  readonly #workerUrl: URL
  readonly #threads = new Set<Thread>()
  readonly #aacStreams: AacStreams
  #lastId = 0
  #closed = false

  constructor(options: ThreadedRenderPoolOptions = {}) {
    const {
      threads: maxThreads = Math.max(1, availableParallelism() - 1),
      requestLimitMs = REQUEST_LIMIT_MS,
      workerUrl = WORKER_URL,
      ffmpeg,
    } = options
    this.#aacStreams = new AacStreams(ffmpeg)
    this.#maxThreads = maxThreads
    this.#requestLimitMs = requestLimitMs
    this.#workerUrl = workerUrl
  }

  open(settings: RenderSettings): RemoteFile {
    const { send, stream } = this.#take()
    // A failure also fails the requests after it, which report it.
    const opened = send({ type: 'open', settings })
    opened.catch(() => undefined)
    return {
      ...stream,
      async measure(samples) {
        await send({ type: 'measure', samples })
      },
      async measured() {
        await opened
        const { measured } = await send({ type: 'measured' })
        if (measured === undefined) throw new SpeechError('aborted', 'The file was closed')
        return measured
      },
    }
  }

  async openStream({
    tenant,
    ...settings
  }: StreamRenderSettings & { tenant?: string | undefined }): Promise<RemoteStream> {
    if (settings.format !== 'aac') return this.#openThreadStream(settings)
    if (this.#closed) throw this.#closedError()
    const openLimiter = () => this.#openThreadStream(settings)
    return this.#aacStreams.open({ model: settings.model, tenant, openLimiter })
  }

  async #openThreadStream(settings: StreamRenderSettings): Promise<RemoteStream> {
    const { send, stream } = this.#take()
    try {
      await send({ type: 'open_stream', settings })
      return stream
    } catch (error) {
      stream.close()
      throw error
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#aacStreams.close()
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()))
  }

  #closedError(): SpeechError {
    return new SpeechError('engine_closed', 'The rendering of files is closed')
  }

  #start(): Thread {
    const worker = new Worker(this.#workerUrl)
    const thread: Thread = { worker, files: 0, waiting: new Map() }
    // An idle thread must not keep the process alive.
    worker.unref()
    let cause: unknown
    worker.on('message', (reply: RenderReply) => this.#receive(thread, reply))
    worker.on('error', (error) => (cause = error))
    worker.on('exit', () => {
      this.#threads.delete(thread)
      const error = this.#closed
        ? this.#closedError()
        : new SpeechError('engine_failed', 'The thread that renders the file ended', { cause })
      for (const { reject, limit } of thread.waiting.values()) {
        clearTimeout(limit)
        reject(error)
      }
      thread.waiting.clear()
    })
    this.#threads.add(thread)
    return thread
  }

  #receive(thread: Thread, reply: RenderReply): void {
    const waiting = thread.waiting.get(reply.id)
    if (waiting === undefined) return
    thread.waiting.delete(reply.id)
    clearTimeout(waiting.limit)
    if (thread.waiting.size === 0 && !this.#closed) thread.worker.unref()
    if (reply.type === 'done') waiting.resolve(reply)
    else
      waiting.reject(
        new SpeechError('engine_failed', 'The file could not be rendered', { cause: reply.error }),
      )
  }

  #ask(
    thread: Thread,
    request: RenderRequest,
    transfer: ArrayBuffer[] = [],
  ): Promise<Extract<RenderReply, { type: 'done' }>> {
    return new Promise((resolve, reject) => {
      if (!this.#threads.has(thread))
        return reject(
          this.#closed ? this.#closedError() : new SpeechError('engine_failed', 'The thread has ended'),
        )
      const limit = setTimeout(() => void thread.worker.terminate(), this.#requestLimitMs)
      thread.waiting.set(request.id, { resolve, reject, limit })
      thread.worker.ref()
      thread.worker.postMessage(request, transfer)
    })
  }

  /** Assigns a file or a stream to a thread. */
  #take(): {
    send: (
      call: Call,
      transfer?: ArrayBuffer[],
    ) => Promise<{ id: number; type: 'done'; measured?: MeasuredFile; bytes?: Uint8Array<ArrayBuffer> }>
    stream: RemoteStream
  } {
    if (this.#closed) throw this.#closedError()
    const idlest = [...this.#threads].toSorted((one, other) => one.files - other.files)[0]
    const thread =
      idlest === undefined || (idlest.files > 0 && this.#threads.size < this.#maxThreads)
        ? this.#start()
        : idlest
    if (thread.files >= MAX_FILES_PER_THREAD)
      throw new SpeechError('engine_busy', 'Too many files are being rendered')
    thread.files++
    const file = ++this.#lastId
    const send = (call: Call, transfer?: ArrayBuffer[]) =>
      this.#ask(thread, { ...call, id: ++this.#lastId, file }, transfer)
    const bytesOf = async (call: Call, transfer?: ArrayBuffer[]) => {
      const { bytes } = await send(call, transfer)
      if (bytes === undefined) throw new SpeechError('aborted', 'The file was closed')
      return bytes
    }
    let isOpen = true
    const stream: RemoteStream = {
      render: (samples) => bytesOf({ type: 'render', samples }, [samples.buffer]),
      finish: () => bytesOf({ type: 'finish' }),
      close() {
        if (!isOpen) return
        isOpen = false
        thread.files--
        send({ type: 'close' }).catch(() => undefined)
      },
    }
    return { send, stream }
  }
}
