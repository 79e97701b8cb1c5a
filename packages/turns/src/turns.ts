import { createFairQueue } from './fair-queue.ts'
import { TurnsError, type TurnsErrorCode } from './turns-error.ts'

/** Places, such as threads, processes or connections, that tenants share. */
export interface Turns {
  /**
   * Waits for a place. The tenant that holds the fewest is served first; among equals, the one served least recently. Dispose the
   * place to hand it on; again has no effect.
   *
   * @throws TurnsError `queue_full` or `closed` at once, `too_late` after `maxWaitMs`, `aborted` by the signal
   */
  take(request?: TurnRequest): Promise<Disposable>
  /** Fails all who wait with `closed`, and all later ones. Places that are held stay so until they are disposed of. */
  close(): void
}

export interface TurnRequest {
  /** Owner of the request, such as an account id. Requests without one share a turn. */
  tenant?: string | undefined
  /** Whether it precedes what else this tenant waits for. */
  isUrgent?: boolean | undefined
  /** Default: without a limit. */
  maxWaitMs?: number | undefined
  signal?: AbortSignal | undefined
}

export interface TurnsOptions {
  /** Places that may be held at the same time. */
  places: number
  /** Places that one tenant may hold. Default: all. */
  placesPerTenant?: number
  /** Requests that may wait. Default: without a limit. */
  maxWaiting?: number
  /** The same of one tenant: of its urgent requests, and of its others. */
  maxWaitingPerTenant?: number
}

interface Waiting {
  readonly tenant: string
  /** Ends the wait with a place, or the reason why there is none. */
  end(outcome: Disposable | TurnsErrorCode): void
}

/**
 * Creates free places.
 *
 * @example
 * const turns = createTurns({ places: 2, maxWaiting: 200 })
 * const answer = async (account: string) => {
 *   using _place = await turns.take({ tenant: account })
 *   return 'at most two of these run at a time'
 * }
 */
export function createTurns(options: TurnsOptions): Turns {
  const { places, placesPerTenant = places, maxWaiting = Infinity, maxWaitingPerTenant = Infinity } = options
  const queue = createFairQueue<Waiting>()
  /** Tenants that hold places: how many, and the turn in which they got the last one. */
  const holders = new Map<string, { count: number; turn: number }>()
  let [taken, turn] = [0, 0]
  let isClosed = false

  function openPlace(tenant: string): Disposable {
    const holder = holders.get(tenant) ?? { count: 0, turn: 0 }
    holders.set(tenant, holder)
    holder.count++
    holder.turn = ++turn
    taken++
    let isHeld = true
    return {
      [Symbol.dispose]() {
        if (!isHeld) return
        isHeld = false
        holder.count--
        taken--
        // It is still remembered, so others come first.
        serve()
        if (holder.count === 0) holders.delete(tenant)
      },
    }
  }

  /** Counts the places of a tenant; the fraction orders equal ones by their last turn. */
  function loadOf(tenant: string): number | undefined {
    const holder = holders.get(tenant)
    if (holder === undefined) return 0
    return holder.count < placesPerTenant ? holder.count + holder.turn / (turn + 1) : undefined
  }

  function serve(): void {
    const next = taken < places ? queue.take(loadOf) : undefined
    if (next === undefined) return
    next.end(openPlace(next.tenant))
    serve()
  }

  return {
    async take({ tenant = '', isUrgent, maxWaitMs, signal } = {}) {
      if (isClosed) throw new TurnsError('closed')
      if (signal?.aborted === true) throw new TurnsError('aborted')
      if (queue.size() >= maxWaiting || queue.sizeOf(tenant, { isUrgent }) >= maxWaitingPerTenant)
        throw new TurnsError('queue_full')
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
      const waiting: Waiting = {
        tenant,
        end(outcome) {
          clearTimeout(limit)
          signal?.removeEventListener('abort', abort)
          if (typeof outcome !== 'string') return resolve(outcome)
          queue.remove(tenant, waiting)
          reject(new TurnsError(outcome))
        },
      }
      const abort = () => waiting.end('aborted')
      const limit = maxWaitMs === undefined ? undefined : setTimeout(() => waiting.end('too_late'), maxWaitMs)
      signal?.addEventListener('abort', abort)
      queue.add(tenant, waiting, { isUrgent })
      serve()
      return promise
    },
    close() {
      isClosed = true
      for (let next = queue.take(); next !== undefined; next = queue.take()) next.end('closed')
    },
  }
}
