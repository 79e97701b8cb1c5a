/** Places shared between owners. No owner can hold them all, so no other waits for it to finish. */
export interface Shares {
  /**
   * Waits for a place. The owner that holds the fewest is served first; among equals, the one served least recently.
   *
   * @throws SharesError `queue_full` at once, `too_late` after `maxWaitMs`, or `aborted` by the signal
   */
  take(request: ShareRequest): Promise<Place>
}

/** Most urgent first: a client waits for the response to its intake. */
const QUEUES = ['intake', 'checks'] as const
export type QueueName = (typeof QUEUES)[number]

export interface ShareRequest {
  owner: string
  /** Queue of this owner. Its more urgent queue is served first. */
  queue: QueueName
  maxWaitMs: number
  signal?: AbortSignal | undefined
}

export interface Place {
  release(): void
}

const MESSAGES = {
  queue_full: 'Too many jobs are waiting already',
  too_late: 'No place became free in time',
  aborted: 'The wait for a place was aborted',
} as const

export class SharesError extends Error {
  override readonly name = 'SharesError'
  readonly code: keyof typeof MESSAGES

  constructor(code: SharesError['code']) {
    super(MESSAGES[code])
    this.code = code
  }
}

interface Owner {
  held: number
  servedAt: number
  readonly waiting: Readonly<Record<QueueName, Set<() => void>>>
}
const newOwner = (): Owner => ({
  held: 0,
  servedAt: 0,
  waiting: { intake: new Set(), checks: new Set() },
})
const queueToServe = ({ waiting }: Owner): Set<() => void> | undefined =>
  QUEUES.map((name) => waiting[name]).find(({ size }) => size > 0)

/**
 * @param options.perOwner maximum places held by one owner
 * @param options.maxWaiting maximum requests waiting in one queue of an owner
 */
export function createShares(options: { places: number; perOwner: number; maxWaiting: number }): Shares {
  const { places, perOwner, maxWaiting } = options
  /** Owners that hold a place or wait for one. */
  const owners = new Map<string, Owner>()
  let [taken, turn] = [0, 0]

  function serveNext(): void {
    while (taken < places) {
      const candidates = [...owners.values()].filter(
        (owner) => owner.held < perOwner && queueToServe(owner) !== undefined,
      )
      if (candidates.length === 0) return
      const owner = candidates.reduce((first, next) =>
        (next.held - first.held || next.servedAt - first.servedAt) < 0 ? next : first,
      )
      const queue = queueToServe(owner)
      const [serve] = queue ?? []
      if (serve === undefined) return
      queue?.delete(serve)
      owner.servedAt = ++turn
      owner.held++
      taken++
      serve()
    }
  }

  function forgetIfIdle(name: string, owner: Owner): void {
    if (owner.held === 0 && queueToServe(owner) === undefined) owners.delete(name)
  }

  return {
    take({ owner: name, queue: queueName, maxWaitMs, signal }) {
      if (signal?.aborted === true) return Promise.reject(new SharesError('aborted'))
      const owner = owners.get(name) ?? newOwner()
      const queue = owner.waiting[queueName]
      if (queue.size >= maxWaiting) return Promise.reject(new SharesError('queue_full'))
      owners.set(name, owner)
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
      const endWait = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const serve = () => {
        endWait()
        resolve(place)
      }
      const giveUp = (code: SharesError['code']) => {
        endWait()
        queue.delete(serve)
        forgetIfIdle(name, owner)
        reject(new SharesError(code))
      }
      const abort = () => giveUp('aborted')
      const timer = setTimeout(() => giveUp('too_late'), maxWaitMs)
      signal?.addEventListener('abort', abort)
      queue.add(serve)
      serveNext()
      return promise
    },
  }
}
