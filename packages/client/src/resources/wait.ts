import { ApiError, type Operation, StillPending, VaaniError } from '../errors.ts'
import type { CallEvent, VerificationEvent, WebhookEndpointEvent } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import { sleep } from '../transport/bounded.ts'
import { whenAborted } from '../transport/when-aborted.ts'
import type { Pending } from '../transport/pending.ts'
import type { Transport } from '../transport/transport.ts'

/** Any event; `type` tells which. */
export type WebhookEvent = CallEvent | VerificationEvent | WebhookEndpointEvent

/** Where webhooks arrive, as in `createWebhookInbox`. */
export interface WebhookInbox {
  /** Resolves with the first event that matches, also one that is there already; rejects when the signal is aborted. */
  waitFor(
    matches: (event: WebhookEvent) => boolean,
    options?: { signal?: AbortSignal },
  ): Promise<WebhookEvent>
}

export interface WaitOptions {
  /** How long to go on reading, in milliseconds. A read that has begun by then still has its own limits. */
  readonly forMs?: number
  readonly signal?: AbortSignal
  /** An event about what is waited for is followed by a read at once. */
  readonly inbox?: WebhookInbox
}

/** What is waited for, and how. */
export interface Wait<Data> extends WaitOptions {
  readonly operation: Operation
  readonly id: string
  readonly forMs: number
  readonly maxReads?: number
  readonly read: (options: RequestOptions) => Pending<Data>
  readonly statusOf: (data: Data) => string
  readonly finalStatuses: readonly string[]
  /** Types of events that are worth a read. */
  readonly events?: RegExp
  /** Time to the next read; `reads` counts those that were made. */
  readonly intervalMs: (reads: number, random: number) => number
}

/** Between reads, ever longer within its bounds, with jitter. */
export const growingInterval =
  ({ minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }): Wait<unknown>['intervalMs'] =>
  (reads, random) =>
    Math.min(maxMs * 0.75, minMs * 1.5 ** (reads - 1)) * (1 + random / 3)

/**
 * Reads until the status is final. What may pass (no connection, a limit, a fault of the service) is waited out.
 *
 * @throws StillPending when the time or the reads are used up
 * @throws AbortedError
 */
export async function waitUntilFinal<Data>(transport: Transport, wait: Wait<Data>): Promise<Data> {
  const { clock, random } = transport
  const { operation, id, forMs, maxReads = Infinity, events = /^/, signal, inbox } = wait
  const deadlineMs = clock.nowMs() + forMs
  const ended = new AbortController()
  const stopWatching = whenAborted(signal, () => ended.abort(signal?.reason))
  const isEnded = { signal: ended.signal }
  const isAbout = ({ type, data }: WebhookEvent): boolean =>
    events.test(type) && Object.values<unknown>({ ...data }).includes(id)
  // An event is no more than a reason to read now: whoever may send one cannot decide anything.
  // An inbox that fails tells nothing, as a race of none; the reads go on without it.
  let event = inbox?.waitFor(isAbout, isEnded).catch(() => Promise.race([]))
  let status: string | null = null
  try {
    for (let attempts = 1; ; attempts += 1) {
      let delayMs = wait.intervalMs(attempts, random())
      try {
        // One read is one try, as each counts against the limit of reads.
        const data = await wait.read({ signal, maxRetries: 0 })
        status = wait.statusOf(data)
        if (wait.finalStatuses.includes(status)) return data
      } catch (error) {
        if (!VaaniError.isInstance(error) || !error.retryable) throw error
        if (ApiError.isInstance(error)) delayMs = Math.max(delayMs, error.retryAfterMs ?? 0)
      }
      if (attempts >= maxReads || clock.nowMs() + delayMs > deadlineMs)
        throw new StillPending({ operation, attempts, id, status })
      const time = sleep(clock, { operation, attempts }, ended.signal, delayMs)
      const first = await Promise.race([time, event ?? time])
      if (first !== undefined) event = undefined
    }
  } finally {
    stopWatching()
    ended.abort()
  }
}
