import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { createVerifier, type FailureCode, type WebhookEvent } from '@vaani/webhook-verifier'
import { startHttpServer } from './http-server.ts'

const WAIT_MS = 10_000

/** One request to the receiver: an attempt to deliver an event. */
export interface Delivery {
  /** For example `/hooks?tenant=1`. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The raw bytes. */
  readonly body: Buffer
  /** The parsed body. A body that is not a JSON event gets 400 and is not recorded as a delivery. */
  readonly event: WebhookEvent
  /** Result of the signature check: `unchecked` while no secret is trusted, otherwise `genuine` or the failure. */
  readonly signature: 'genuine' | 'unchecked' | FailureCode
}

/**
 * Response to a delivery: a status; a status with headers after a delay; a reset connection; no response at all; or a function
 * that writes the response itself.
 */
export type Answer =
  | number
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly delayMs?: number }
  | 'reset'
  | 'hang'
  | ((response: ServerResponse, delivery: Delivery) => void)

export interface ReceiverOptions {
  /** Signing secrets, as returned by the server: see `trust`. */
  readonly secrets?: readonly string[]
  /** The sender's clock, to check the age of signatures: `vaani.clock`. Default: the wall clock. */
  readonly clock?: { nowMs(): number }
}

export interface Receiver extends AsyncDisposable {
  /** The receiver accepts any path below it. */
  readonly url: string
  /** All deliveries, in order of arrival. */
  readonly deliveries: readonly Delivery[]
  /** Deliveries answered with 2xx, in the order of the responses. */
  readonly accepted: readonly Delivery[]
  /** Number of requests in flight on a path. */
  underWay(path: string): number
  /** Highest number of requests in flight at once on a path. */
  mostUnderWay(path: string): number
  /** Verifies deliveries from now on: those not signed with a trusted secret get 401. */
  trust(secret: string): void
  /** Sets the responses to the next deliveries, one each; later ones get the response that `answer` chooses. */
  plan(...answers: readonly Answer[]): void
  /** Chooses the responses to deliveries without a planned response, from now on. Initially 204. */
  answer(choose: (delivery: Delivery) => Answer): void
  /**
   * Returns the first delivery that matches, among those already received and those still to come.
   *
   * @param match an event type, or a predicate
   * @throws Error that lists the received types, if no delivery matches within `timeoutMs` (default 10,000); any error of the
   *   predicate
   */
  waitFor(
    match: WebhookEvent['type'] | ((delivery: Delivery) => boolean),
    options?: { timeoutMs?: number },
  ): Promise<Delivery>
}

/**
 * Starts a webhook receiver on this machine, like one that a customer runs.
 *
 * @example
 * await using receiver = await startReceiver({ clock: vaani.clock })
 * const { secret } = await vaani.client.webhooks.createEndpoint({ url: receiver.url, events: ['call.completed'] })
 * receiver.trust(secret)
 * receiver.plan(500, 'reset', { status: 204, delayMs: 50 })
 * // … place a call …
 * const { event } = await receiver.waitFor('call.completed')
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const inbox = createInbox(options)
  const server = await startHttpServer((request, response) => void inbox.receive(request, response))
  return {
    url: server.url,
    deliveries: inbox.deliveries,
    accepted: inbox.accepted,
    underWay: (path) => inbox.underWay(path),
    mostUnderWay: (path) => inbox.mostUnderWay(path),
    trust: (secret) => inbox.trust(secret),
    plan: (...answers) => inbox.plan(...answers),
    answer: (choose) => inbox.answer(choose),
    waitFor: (match, limits) => inbox.waitFor(match, limits),
    async [Symbol.asyncDispose]() {
      inbox.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** What a receiver has got, and how it answers. */
interface Inbox extends Omit<Receiver, 'url' | typeof Symbol.asyncDispose> {
  receive(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends answers that are delayed. */
  close(): void
}

const createInbox = (options: ReceiverOptions): Inbox => new DeliveryInbox(options)

class DeliveryInbox implements Inbox {
  readonly #clock: { nowMs(): number }
  readonly #trusted: string[] = []
  #verifier: ReturnType<typeof createVerifier> | undefined
  readonly deliveries: Delivery[] = []
  readonly accepted: Delivery[] = []
  readonly #waiting = new Set<(delivery: Delivery) => void>()
  readonly #inFlight = new Map<string, { now: number; most: number }>()
  readonly #planned: Answer[] = []
  #choose: (delivery: Delivery) => Answer = () => 204
  readonly #ended = new AbortController()

  constructor(options: ReceiverOptions) {
    const { secrets = [], clock = { nowMs: () => Date.now() } } = options
    this.#clock = clock
    for (const secret of secrets) this.trust(secret)
  }

  trust(secret: string): void {
    this.#trusted.push(secret)
    this.#verifier = createVerifier({
      secrets: Object.fromEntries(this.#trusted.map((one, index) => [`secret ${index + 1}`, one])),
      clock: () => this.#clock.nowMs(),
    })
  }

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const body = await readBody(request)
    if (body === undefined) return
    const event = parseEvent(body)
    if (event === undefined) return void response.writeHead(400).end()
    const checked = await this.#verifier?.verifySignature(body, request.headers)
    const signature = checked === undefined ? 'unchecked' : checked.ok ? 'genuine' : checked.code
    const delivery: Delivery = { path, headers: request.headers, body, event, signature }
    this.deliveries.push(delivery)
    this.#count(path, 1)
    response.once('close', () => this.#count(path, -1))
    response.once('finish', () => {
      if (response.statusCode >= 200 && response.statusCode < 300) this.accepted.push(delivery)
    })
    const isTrusted = signature === 'genuine' || signature === 'unchecked'
    const answer = isTrusted ? (this.#planned.shift() ?? this.#choose(delivery)) : 401
    for (const tell of this.#waiting) tell(delivery)
    await this.#give(answer, response, delivery)
  }

  underWay(path: string): number {
    return this.#countOf(path).now
  }

  mostUnderWay(path: string): number {
    return this.#countOf(path).most
  }

  plan(...answers: readonly Answer[]): void {
    void this.#planned.push(...answers)
  }

  answer(next: (delivery: Delivery) => Answer): void {
    this.#choose = next
  }

  async waitFor(
    match: WebhookEvent['type'] | ((delivery: Delivery) => boolean),
    { timeoutMs = WAIT_MS }: { timeoutMs?: number } = {},
  ): Promise<Delivery> {
    const fits = typeof match === 'string' ? (one: Delivery) => one.event.type === match : match
    const known = this.deliveries.find(fits)
    if (known) return known
    return await new Promise((resolve, reject) => {
      const settle = (how: () => void): void => {
        this.#waiting.delete(tell)
        clearTimeout(timer)
        how()
      }
      const tell = (delivery: Delivery): void => {
        try {
          if (fits(delivery)) settle(() => resolve(delivery))
        } catch (error) {
          settle(() => reject(error))
        }
      }
      const timer = setTimeout(() => {
        const types = this.deliveries.map(({ event }) => event.type).join(', ')
        settle(() =>
          reject(new Error(`No matching delivery within ${timeoutMs} ms; received: ${types || 'none'}`)),
        )
      }, timeoutMs)
      this.#waiting.add(tell)
    })
  }

  close(): void {
    this.#ended.abort()
  }

  #countOf(path: string): { now: number; most: number } {
    return this.#inFlight.get(path) ?? { now: 0, most: 0 }
  }

  #count(path: string, change: 1 | -1): void {
    const { now, most } = this.#countOf(path)
    this.#inFlight.set(path, { now: now + change, most: Math.max(most, now + change) })
  }

  async #give(answer: Answer, response: ServerResponse, delivery: Delivery): Promise<void> {
    if (typeof answer === 'function') return answer(response, delivery)
    if (answer === 'hang') return undefined
    if (answer === 'reset') return void response.socket?.resetAndDestroy()
    const {
      status = 204,
      headers = {},
      delayMs = 0,
    } = typeof answer === 'number' ? { status: answer } : answer
    // Ends with the receiver, without an answer.
    if (delayMs > 0) await delay(delayMs, undefined, { signal: this.#ended.signal }).catch(() => undefined)
    if (!this.#ended.signal.aborted) response.writeHead(status, headers).end()
  }
}

/** Returns undefined if the sender disconnected before the end. */
const readBody = (request: IncomingMessage): Promise<Buffer | undefined> =>
  buffer(request).catch(() => undefined)

function parseEvent(body: Buffer): WebhookEvent | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString())
    return isEvent(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

const isEvent = (parsed: unknown): parsed is WebhookEvent =>
  typeof parsed === 'object' && parsed !== null && 'event_id' in parsed && 'type' in parsed
