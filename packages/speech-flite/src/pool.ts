import { SpeechError, type SynthesisOptions } from '@vaani/speech'
import { createTurns } from '@vaani/speech/engine-kit'
import { loadProgram } from './load-program.ts'
import type { FliteVoice, Job, Spoken } from './messages.ts'
import { startThread, type Thread } from './thread.ts'

/** Threads that share the phrases of all requests. */
export interface FlitePool {
  /**
   * Speaks a phrase on the next free thread.
   *
   * @throws SpeechError `engine_busy`, `engine_closed`, `engine_failed`, `aborted`
   */
  speak(job: Omit<Job, 'id'>, options: SynthesisOptions): Promise<Spoken>
  /** @throws SpeechError `engine_closed` */
  throwIfClosed(): void
  close(): Promise<void>
}

export interface PoolOptions {
  workers: number
  /** Threads that start at once; the others start when phrases wait. */
  warmWorkers: number
  /** The speakers of which each thread speaks once before it is ready. */
  warms: readonly FliteVoice[]
  jobLimitMs?: number
  workerUrl?: URL
}

/** The longest phrase takes a second. */
const JOB_LIMIT_MS = 30_000
/**
 * Waiting phrases beyond which no new speech begins (`first`), also of one tenant, and beyond which speech that has begun is refused
 * too (`later`).
 */
const MAX_WAITING = { first: 2000, firstPerTenant: 500, later: 10_000 }

export function createPool({
  workers,
  warmWorkers,
  warms,
  jobLimitMs = JOB_LIMIT_MS,
  workerUrl,
}: PoolOptions): FlitePool {
  const turns = createTurns({ places: workers, maxWaiting: MAX_WAITING })
  let loading: ReturnType<typeof loadProgram> | undefined
  const threads = new Set<Thread>()
  /** Threads that have nothing to do, or are about to be ready. */
  const idle: (Thread | Promise<Thread>)[] = []
  let lastId = 0
  let isClosed = false

  function throwIfClosed(): void {
    if (isClosed) throw new SpeechError('engine_closed', 'The engine is closed')
  }
  async function start(): Promise<Thread> {
    const settings = await (loading ??= loadProgram()).then(
      (command) => ({ command, warms }),
      (cause: unknown) => {
        throw new SpeechError('engine_failed', 'The engine failed to start', { cause })
      },
    )
    throwIfClosed()
    const thread = startThread({ settings, jobLimitMs, ...(workerUrl && { workerUrl }) })
    threads.add(thread)
    return thread
  }
  /** Drops the threads that ended meanwhile, and those that failed to start: the caller starts another, and gets the error if that fails too. */
  async function takeIdle(): Promise<Thread | undefined> {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      const thread = await Promise.resolve(next).catch(() => undefined)
      if (thread?.isAlive() === true) return thread
      if (thread !== undefined) threads.delete(thread)
    }
    return undefined
  }
  for (let index = 0; index < Math.min(warmWorkers, workers); index++) {
    const starting = start()
    // A failure shows again in the first request.
    starting.catch(() => undefined)
    idle.push(starting)
  }

  return {
    throwIfClosed,
    async speak(job, options) {
      using _place = await turns.take(options)
      const thread = (await takeIdle()) ?? (await start())
      try {
        return await thread.speak({ id: (lastId = (lastId % 0x7f_ff_ff_ff) + 1), ...job })
      } catch (error) {
        throwIfClosed()
        throw error
      } finally {
        idle.push(thread)
      }
    },
    async close() {
      if (isClosed) return
      isClosed = true
      turns.close()
      await Promise.all(Array.from(threads, (thread) => thread.end()))
    },
  }
}
