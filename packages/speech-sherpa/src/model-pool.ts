import { SpeechError, type SynthesisOptions } from '@vaani/speech'
import { type ChunkQueue, createTurns } from '@vaani/speech/engine-kit'
import type { ChildSettings, Job, ModelInfo } from './messages.ts'
import { type ModelProcess, type ProcessLimits, startModelProcess } from './model-process.ts'

/** The processes of one model. */
export interface ModelPool {
  /** Loads the model in every process. @throws SpeechError `engine_failed` */
  load(): Promise<ModelInfo>
  /** @throws SpeechError on the first or a later iteration */
  speak(job: Omit<Job, 'id'>, options: SynthesisOptions): AsyncGenerator<Int16Array, void, undefined>
  close(): Promise<void>
}

export interface ModelPoolOptions {
  settings: ChildSettings
  processes: number
  limits: ProcessLimits
  childUrl?: URL
}

const abortedError = () => new SpeechError('aborted', 'The speech was aborted')

export function createModelPool({ settings, processes, limits, childUrl }: ModelPoolOptions): ModelPool {
  const turns = createTurns({ places: processes })
  const all = new Set<ModelProcess>()
  const idle: ModelProcess[] = []
  let lastId = 0
  let closed = false

  function start(): ModelProcess {
    const process = startModelProcess(settings, limits, childUrl)
    all.add(process)
    return process
  }

  /** Returns an idle process; those that ended meanwhile are dropped. */
  async function takeIdle(): Promise<ModelProcess | undefined> {
    for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
      if (await process.idle()) return process
      all.delete(process)
    }
    return undefined
  }

  /** Makes a process available again once its sentence is over, or starts a successor. The place is held until then. */
  async function recycle(process: ModelProcess, place: Disposable): Promise<void> {
    using _place = place
    if (await process.idle()) return void idle.push(process)
    all.delete(process)
    if (closed) return
    const successor = start()
    // If it cannot be loaded, the next request tries again and reports why.
    if (await successor.idle()) idle.push(successor)
    else all.delete(successor)
  }

  return {
    async load() {
      const started = Array.from({ length: processes }, start)
      const [info] = await Promise.all(started.map(({ loaded }) => loaded))
      if (info === undefined) throw new SpeechError('engine_failed', 'The model has no process')
      idle.push(...started)
      return info
    },
    async *speak(job, options) {
      const { signal } = options
      const place = await turns.take(options)
      const process = (await takeIdle()) ?? start()
      let chunks: ChunkQueue | undefined
      const onAbort = () => chunks?.end(abortedError())
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        await process.loaded
        signal?.throwIfAborted()
        chunks = process.speak({ id: (lastId = (lastId % 0x7f_ff_ff_ff) + 1), ...job })
        for (let chunk = await chunks.take(); chunk !== undefined; chunk = await chunks.take()) {
          // An abort takes precedence over queued chunks.
          signal?.throwIfAborted()
          yield chunk
        }
      } catch (error) {
        if (closed) throw new SpeechError('engine_closed', 'The engine is closed')
        throw signal?.aborted === true ? abortedError() : error
      } finally {
        signal?.removeEventListener('abort', onAbort)
        process.cancel()
        void recycle(process, place)
      }
    },
    async close() {
      closed = true
      turns.close()
      await Promise.all([...all].map((process) => process.kill()))
    },
  }
}
