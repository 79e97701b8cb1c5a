import { ApiError, type Clock, StalledStreamError, TimeoutError } from '@vaani/client'
import type { Migration } from '@vaani/client/migration'
import { UncopiedError } from './copy-media.ts'

/**
 * Why a submission was not handed over:
 *
 * - `off`: the worker shadows nothing at the moment
 * - `not_accepted`: v1 refused it or failed, so it has no id
 * - `queue_full`: more copies wait than `maxWaiting`
 * - `too_large`: its media and that of other copies exceed `maxHeldBytes`
 * - `unreadable`: its media could not be read a second time
 * - `timed_out`: the worker did not answer within `timeoutMs`
 * - `unreachable`: no connection, or it broke
 * - `refused`: the worker refused it
 */
export const DROP_REASONS = [
  'off',
  'not_accepted',
  'queue_full',
  'too_large',
  'unreadable',
  'timed_out',
  'unreachable',
  'refused',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** A submission that the worker does not get. */
export interface Dropped {
  readonly reason: DropReason
  /** Null if v1 gave none. */
  readonly verificationId: string | null
  /** Status of the worker's refusal; null without one. */
  readonly status: number | null
}

export interface Counts {
  readonly handedOver: number
  readonly dropped: Readonly<Record<DropReason, number>>
}

/** A copy that waits to be sent. */
export interface Copy {
  readonly verificationId: string
  /** Opens the media anew. */
  open(): Parameters<Migration['submit']>[0]
  release(): void
}

export interface HandOverSettings {
  readonly migration: Pick<Migration, 'submit'>
  readonly timeoutMs: number
  readonly maxConcurrent: number
  readonly maxWaiting: number
  readonly onDropped: ((dropped: Dropped) => void) | undefined
  readonly clock: Clock
}

/** Hands copies to the worker, a few at a time. */
export interface HandOver {
  /** Whether the worker said a moment ago that it shadows nothing. */
  isOff(): boolean
  add(copy: Copy): void
  drop(reason: DropReason, details?: Partial<Dropped>): void
  counts(): Counts
  /** Resolves when nothing waits and nothing is being sent. */
  idle(): Promise<void>
}

/** How long no copy is made after the worker said that it shadows nothing. */
const OFF_MS = 10_000
/** Not faults: there was nothing to copy. */
const QUIET: readonly DropReason[] = ['off', 'not_accepted']

export function createHandOver(settings: HandOverSettings): HandOver {
  const { migration, timeoutMs, maxConcurrent, maxWaiting, onDropped, clock } = settings
  const dropped = {
    off: 0,
    not_accepted: 0,
    queue_full: 0,
    too_large: 0,
    unreadable: 0,
    timed_out: 0,
    unreachable: 0,
    refused: 0,
  } satisfies Record<DropReason, number>
  const waiting: Copy[] = []
  let handedOver = 0
  let underWay = 0
  let offUntilMs = -Infinity
  let whenIdle = Promise.withResolvers<void>()
  whenIdle.resolve()

  const isOff = (): boolean => clock.nowMs() < offUntilMs

  function drop(reason: DropReason, details: Partial<Dropped> = {}): void {
    dropped[reason] += 1
    if (QUIET.includes(reason)) return
    try {
      onDropped?.({ verificationId: null, status: null, ...details, reason })
    } catch {
      // The observer is for the operator; its failure must not reach the caller of v1.
    }
  }

  function add(copy: Copy): void {
    if (underWay >= maxConcurrent && waiting.length >= maxWaiting) {
      copy.release()
      drop('queue_full', { verificationId: copy.verificationId })
      return
    }
    if (underWay === 0) whenIdle = Promise.withResolvers<void>()
    waiting.push(copy)
    sendNext()
  }

  function sendNext(): void {
    while (underWay < maxConcurrent) {
      const copy = waiting.shift()
      if (copy === undefined) break
      underWay += 1
      void hand(copy).finally(() => {
        copy.release()
        underWay -= 1
        sendNext()
      })
    }
    if (underWay === 0) whenIdle.resolve()
  }

  async function hand({ verificationId, open }: Copy): Promise<void> {
    // It may have waited while the worker was switched off.
    if (isOff()) return drop('off')
    const limits = { timeoutMs, tryTimeoutMs: timeoutMs, maxRetries: 0 }
    try {
      await migration.submit(open(), limits)
      handedOver += 1
    } catch (error) {
      const status = ApiError.isInstance(error) ? error.status : null
      if (status === 409) offUntilMs = clock.nowMs() + OFF_MS
      drop(reasonOf(error), { verificationId, status })
    }
  }

  return {
    isOff,
    add,
    drop,
    counts: () => ({ handedOver, dropped: { ...dropped } }),
    idle: () => whenIdle.promise,
  }
}

function reasonOf(error: unknown): DropReason {
  if (error instanceof UncopiedError) return error.code
  if (TimeoutError.isInstance(error) || StalledStreamError.isInstance(error)) return 'timed_out'
  if (!ApiError.isInstance(error)) return 'unreachable'
  return error.status === 409 ? 'off' : 'refused'
}
