import { Worker } from 'node:worker_threads'
import { createTurns } from '@vaani/turns'
import { AudioError } from '../decode-audio/audio-error.ts'
import { explainTurns } from '../engine-kit/explain-turns.ts'
import { SpeechError } from '../speech-error.ts'
import type { DetectionReply } from './detection-messages.ts'
import type { RecordingSearch, RecordingToSearch } from './search-recording.ts'

/** Waiting searches beyond which none is accepted, in all and of one tenant. The longest takes some seconds. */
const MAX_WAITING = { maxWaiting: 50, maxWaitingPerTenant: 10 }
/** Twenty times the duration of the longest search. A thread that takes longer is replaced. */
const SEARCH_LIMIT_MS = 120_000

export interface DetectionOptions extends RecordingToSearch {
  /** Owner of the request, such as an account id. Tenants take turns. */
  tenant?: string
  /** Ends the wait for a turn, but not a running search. */
  signal?: AbortSignal
}

/** A thread that searches recordings for watermarks, one at a time. */
export interface DetectionThread {
  /**
   * Searches a file, which must exist until the promise settles.
   *
   * @throws AudioError if the file cannot be decoded
   * @throws SpeechError `engine_busy` if too many searches wait, `engine_failed`, `engine_closed`, `aborted`
   * @example
   * const { detections } = await thread.search({ file: 'call.wav', keys: [key], maxSeconds: 300 })
   */
  search(options: DetectionOptions): Promise<RecordingSearch>
  /** Fails all searches with `engine_closed`. Idempotent. */
  close(): Promise<void>
}

// The worker lies beside this file, as TypeScript source or as a build.
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './detection-worker.ts' : './detection-worker.js',
  import.meta.url,
)

/** Creates a thread that starts with the first search. */
export function createDetectionThread(
  options: { searchLimitMs?: number; workerUrl?: URL } = {},
): DetectionThread {
  const { searchLimitMs = SEARCH_LIMIT_MS, workerUrl = WORKER_URL } = options
  const turns = createTurns({ places: 1, ...MAX_WAITING })
  let worker: Worker | undefined
  let cause: unknown
  let closed = false

  function start(): Worker {
    const started = new Worker(workerUrl)
    started.on('error', (error) => (cause = error))
    started.on('exit', () => {
      if (worker === started) worker = undefined
    })
    return started
  }

  /** Only one runs at a time. */
  function ask(request: RecordingToSearch): Promise<DetectionReply> {
    const thread = (worker ??= start())
    const answered = Promise.withResolvers<DetectionReply>()
    const onEnd = () =>
      answered.reject(
        closed
          ? new SpeechError('engine_closed', 'The search of recordings is closed')
          : new SpeechError('engine_failed', 'The thread that searches the recording ended', { cause }),
      )
    const limit = setTimeout(() => void thread.terminate(), searchLimitMs)
    thread.once('message', answered.resolve)
    thread.once('exit', onEnd)
    thread.ref()
    thread.postMessage(request)
    return answered.promise.finally(() => {
      clearTimeout(limit)
      thread.off('message', answered.resolve)
      thread.off('exit', onEnd)
      // An idle thread must not keep the process alive.
      if (!closed) thread.unref()
    })
  }

  return {
    async search({ file, keys, maxSeconds, tenant, signal }) {
      using _place = await turns.take({ tenant, signal }).catch(explainTurns)
      const reply = await ask({ file, keys, maxSeconds })
      switch (reply.type) {
        case 'done':
          return reply.search
        case 'refused':
          throw new AudioError(reply.code, reply.message)
        case 'failed':
          throw new SpeechError('engine_failed', 'The recording could not be searched', {
            cause: reply.error,
          })
      }
    },
    async close() {
      closed = true
      turns.close()
      await worker?.terminate()
    },
  }
}
