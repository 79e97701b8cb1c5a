import { ApiError, type Operation, StillPending, VaaniError } from '@vaani/client'
import type { Cli } from '../cli.ts'
import { sleep } from '../clock.ts'

const GROWTH = 1.5

/** A resource to follow: how to read it, how often, and until when. */
export interface Follow<Resource, Status extends string> {
  readonly operation: Operation
  readonly id: string
  /** The resource as it was created; without it, the first read happens at once. */
  readonly first?: Resource
  /** Reads the resource once, without retries. */
  readonly read: () => Promise<Resource>
  readonly statusOf: (resource: Resource) => Status
  readonly isFinal: (status: Status) => boolean
  readonly onStatus: (resource: Resource) => Promise<void>
  readonly forMs: number
  /** Intervals grow from the first to the last. */
  readonly intervalsMs: readonly [first: number, last: number]
  readonly maxReads?: number
}

/**
 * Reads a resource until its status is final, and reports each status that it sees.
 *
 * @throws StillPending after `forMs` or `maxReads`
 * @throws the last error, if no read has succeeded by then
 */
export async function follow<Resource, Status extends string>(
  { clock, signal }: Pick<Cli, 'clock' | 'signal'>,
  options: Follow<Resource, Status>,
): Promise<Resource> {
  const {
    operation,
    id,
    first,
    read,
    statusOf,
    isFinal,
    onStatus,
    forMs,
    intervalsMs,
    maxReads = Infinity,
  } = options
  const deadlineMs = clock.nowMs() + forMs
  let [intervalMs] = intervalsMs
  let current = first
  let lastError: VaaniError | undefined
  let delayMs = first === undefined ? 0 : intervalMs
  if (first !== undefined) await onStatus(first)
  for (let reads = 0; ; reads += 1) {
    if (current !== undefined && isFinal(statusOf(current))) return current
    const remainingMs = deadlineMs - clock.nowMs()
    if (remainingMs <= 0 || reads >= maxReads) {
      if (current === undefined && lastError !== undefined) throw lastError
      const status = current === undefined ? null : statusOf(current)
      throw new StillPending({ operation, attempts: reads, id, status })
    }
    if (delayMs > 0) await sleep({ delayMs: Math.min(delayMs, remainingMs), clock, signal })
    delayMs = intervalMs
    intervalMs = Math.min(intervalsMs[1], intervalMs * GROWTH)
    try {
      const next = await read()
      if (current === undefined || statusOf(next) !== statusOf(current)) await onStatus(next)
      current = next
    } catch (error) {
      // Keep polling through retryable errors, at the pace that the service asks for.
      if (!VaaniError.isInstance(error) || !error.retryable) throw error
      lastError = error
      if (ApiError.isInstance(error)) delayMs = Math.max(delayMs, error.retryAfterMs ?? 0)
    }
  }
}
