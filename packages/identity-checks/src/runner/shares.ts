/** Places that several owners share. No owner can hold them all, so no other ever waits for it to finish. */
export interface Shares {
  /**
   * Waits for a place. The owner that holds the fewest is served first, and of several the one whose queue was served
   * longest ago.
   *
   * @throws SharesError `queue_full` at once, or `too_late` after `maxWaitMs`
   */
  take(request: ShareRequest): Promise<Place>
}

export interface ShareRequest {
  owner: string
  /** One of the owner's queues, which take turns: none of them starves another. */
  queue: string
  maxWaitMs: number
}

export interface Place {
  release(): void
}

export class SharesError extends Error {
  override readonly name = 'SharesError'
  readonly code: 'queue_full' | 'too_late'

  constructor(code: SharesError['code']) {
    super(code === 'queue_full' ? 'Too many wait for a place already' : 'No place became free in time')
    this.code = code
  }
}

interface Queue {
  readonly waiting: Set<() => void>
  servedAt: number
}
interface Owner {
  held: number
  readonly queues: Map<string, Queue>
}

/**
 * @param options.perOwner places that one owner may hold at a time
 * @param options.maxWaiting requests that may wait in one queue of an owner
 */
export function createShares(options: { places: number; perOwner: number; maxWaiting: number }): Shares {
  const { places, perOwner, maxWaiting } = options
  /** Those that hold a place or wait for one. */
  const owners = new Map<string, Owner>()
  let [taken, turn] = [0, 0]

  function serveNext(): void {
    while (taken < places) {
      const candidates = [...owners.values()]
        .filter(({ held }) => held < perOwner)
        .flatMap((owner) => [...owner.queues.values()].map((queue) => ({ owner, queue })))
        .filter(({ queue }) => queue.waiting.size > 0)
      if (candidates.length === 0) return
      const { owner, queue } = candidates.reduce((first, next) =>
        (next.owner.held - first.owner.held || next.queue.servedAt - first.queue.servedAt) < 0 ? next : first,
      )
      const [serve] = queue.waiting
      if (serve === undefined) return
      queue.waiting.delete(serve)
      queue.servedAt = ++turn
      owner.held++
      taken++
      serve()
    }
  }

  function forgetIfIdle(name: string, { held, queues }: Owner): void {
    if (held === 0 && [...queues.values()].every(({ waiting }) => waiting.size === 0)) owners.delete(name)
  }

  return {
    take({ owner: name, queue: queueName, maxWaitMs }) {
      const owner = owners.get(name) ?? { held: 0, queues: new Map<string, Queue>() }
      const queue = owner.queues.get(queueName) ?? { waiting: new Set(), servedAt: 0 }
      if (queue.waiting.size >= maxWaiting) return Promise.reject(new SharesError('queue_full'))
      owners.set(name, owner)
      owner.queues.set(queueName, queue)
      const { promise, resolve, reject } = Promise.withResolvers<Place>()
      let isHeld = true
      const place: Place = {
        release() {
          if (!isHeld) return
          isHeld = false
          owner.held--
          taken--
          serveNext()
          forgetIfIdle(name, owner)
        },
      }
      const serve = () => {
        clearTimeout(timer)
        resolve(place)
      }
      const timer = setTimeout(() => {
        queue.waiting.delete(serve)
        forgetIfIdle(name, owner)
        reject(new SharesError('too_late'))
      }, maxWaitMs)
      queue.waiting.add(serve)
      serveNext()
      return promise
    },
  }
}
