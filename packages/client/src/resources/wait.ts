import { ApiError, type Operation, StillPending, VaaniError } from '../errors.ts'
import type {
  BatchEvent,
  CallEvent,
  DocumentEvent,
  VerificationEvent,
  WebhookEndpointEvent,
} from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import { sleep } from '../transport/bounded.ts'
import { whenAborted } from '../transport/when-aborted.ts'
import type { Transport } from '../transport/transport.ts'

/** Any webhook event, discriminated by `type`. */
export type WebhookEvent = BatchEvent | CallEvent | DocumentEvent | VerificationEvent | WebhookEndpointEvent

/** Source of received webhook events, for example a `createWebhookInbox()`. */
export interface WebhookInbox {
  /** Resolves with the first matching event, which may have arrived earlier; rejects when the signal is aborted. */
  waitFor(
    matches: (event: WebhookEvent) => boolean,
    options?: { signal?: AbortSignal },
  ): Promise<WebhookEvent>
}

export interface WaitOptions {
  /** Milliseconds to keep polling. A read that has started by then still runs to its own limits. */
  readonly forMs?: number
  readonly signal?: AbortSignal | undefined
  /** Triggers an immediate read when it receives an event about the resource. */
  readonly inbox?: WebhookInbox
}

export interface Wait<Data> extends WaitOptions {
  readonly operation: Operation
  readonly id: string
  readonly forMs: number
  readonly maxReads?: number
  readonly read: (options: RequestOptions) => Promise<Data>
  readonly statusOf: (data: Data) => string
  readonly finalStatuses: readonly string[]
  /** Event types that trigger a read. */
  readonly events?: RegExp
  /** Returns the time to the next read; `reads` is the number of reads so far. */
  readonly intervalMs: (reads: number, random: number) => number
}

/** Returns an interval that grows with each read, with jitter, within the bounds. */
export const growingInterval =
  ({ minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }): Wait<unknown>['intervalMs'] =>
  (reads, random) =>
    Math.min(maxMs * 0.75, minMs * 1.5 ** (reads - 1)) * (1 + random / 3)

/**
 * Polls until the status is final. Keeps polling after retryable errors: no connection, a rate limit, a failure of the service.
 *
 * @throws StillPending if the time or the reads are used up
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
  // An event only triggers a read; its status is not trusted, because a forged event could otherwise decide the outcome.
  // If the inbox fails, replace its promise by one that never settles and keep polling without it.
  let event = inbox?.waitFor(isAbout, isEnded).catch(() => Promise.race([]))
  let status: string | null = null
  try {
    for (let attempts = 1; ; attempts += 1) {
      let delayMs = wait.intervalMs(attempts, random())
      try {
        // No retries, because every attempt counts against the limit on reads.
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
