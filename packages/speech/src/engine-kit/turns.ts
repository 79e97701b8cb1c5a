import type { SynthesisOptions } from '../engine.ts'
import { SpeechError } from '../speech-error.ts'
import { createTaskQueue } from './task-queue.ts'

/** Shares the places of an engine, such as processes or connections, between its callers. */
export interface Turns {
  /**
   * Waits for a place. Tenants take turns, and whoever would hear a gap first precedes others. Dispose the place to hand it on.
   *
   * @throws SpeechError `engine_busy`, `engine_closed`, `aborted`
   */
  take(options?: SynthesisOptions): Promise<Disposable>
  /** Fails all waiting callers with `engine_closed`, and all later ones. */
  close(): void
}

export interface TurnsOptions {
  /** Number of callers that may hold a place at the same time. */
  places: number
  /**
   * Waiting callers beyond which none is accepted: `first` for the first segments of streams, `firstPerTenant` for those of
   * one tenant, `later` for others. `later` is higher, so that streams are refused at their start rather than cut off.
   */
  maxWaiting?: { first: number; firstPerTenant: number; later: number }
  nowMs?: () => number
}

const MAX_WAITING = { first: 200, firstPerTenant: 50, later: 1000 }
/** Tenant of requests that name none. */
const NO_TENANT = ''

const abortedError = () => new SpeechError('aborted', 'The speech was aborted')
const closedError = () => new SpeechError('engine_closed', 'The engine is closed')

export function createTurns(options: TurnsOptions): Turns {
  const { places, maxWaiting = MAX_WAITING, nowMs = () => performance.now() } = options
  const queue = createTaskQueue<PromiseWithResolvers<Disposable>>(nowMs)
  let free = places
  let closed = false

  function createPlace(): Disposable {
    let held = true
    return {
      [Symbol.dispose]() {
        if (!held) return
        held = false
        const next = queue.take()
        if (next === undefined) free++
        else next.resolve(createPlace())
      },
    }
  }
  return {
    async take({ signal, priority = 'later', tenant = NO_TENANT, aheadMs } = {}) {
      if (closed) throw closedError()
      if (signal?.aborted === true) throw abortedError()
      if (free > 0) {
        free--
        return createPlace()
      }
      const isFull =
        queue.size() >= maxWaiting[priority] ||
        (priority === 'first' && queue.sizeOf(tenant) >= maxWaiting.firstPerTenant)
      if (isFull) throw new SpeechError('engine_busy', 'Too many segments are queued')
      const waiting = Promise.withResolvers<Disposable>()
      const onAbort = () => {
        queue.remove(waiting)
        waiting.reject(abortedError())
      }
      queue.add({ task: waiting, priority, tenant, aheadMs })
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        return await waiting.promise
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    close() {
      closed = true
      for (let task = queue.take(); task !== undefined; task = queue.take()) task.reject(closedError())
    },
  }
}
