import type { Clock } from '@vaani/service-kit/clock'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Dispatcher } from 'undici'
import type { WebhookEvent } from '../../events.ts'
import { isOutage, judgeAttempt, type RetryPolicy } from '../../rules/judge-attempt.ts'
import type { WebhookMetrics } from '../../metrics.ts'
import { type AttemptSpan, describeAttempt, describeEnd, type WebhookSpans } from '../../spans.ts'
import { beginAttempt, countAttempt, type Held, type Lane, nextReady } from '../lanes/lane.ts'
import type { OutcomeQueue } from '../lanes/outcome-queue.ts'
import type { Signals } from '../lanes/signals.ts'
import type { Shards } from '../shards/shards.ts'
import type { EndpointReports } from './endpoint-reports.ts'
import { type LateFields, UnreadableFieldError } from './late-fields.ts'
import { type SentAttempt, sendAttempt } from './send-attempt.ts'
import { needsPerson, type Signers } from './signers.ts'

/** Pause of a lane after an internal error, e.g. an unreachable database. */
const RETRY_MS = 500
/** Pause of a lane whose secret is missing or cannot be opened, which a person must fix. */
const UNSIGNED_MS = 30_000
/** Pause of a delivery whose late field cannot be opened. Longer, because each such delivery is logged at each try. */
const UNREADABLE_MS = 600_000
const OUTCOMES = { delivered: 'delivered', pending: 'retried', dead: 'dead' } as const

export interface SenderOptions {
  queue: OutcomeQueue
  signals: Signals
  reports: Pick<EndpointReports, 'note'>
  lateFields: Pick<LateFields, 'complete'>
  signers: Signers
  dispatcher: Dispatcher
  policy: RetryPolicy
  clock: Clock
  random: () => number
  events: Events<WebhookEvent>
  metrics: WebhookMetrics
  spans: WebhookSpans
  log: Logger
  shards: Pick<Shards, 'mayUse'>
}

/** Attempts the deliveries in hand. */
export class Sender {
  readonly #with: SenderOptions
  #isStopped = false
  #isAbandoned = false
  #underWay = 0

  constructor(options: SenderOptions) {
    this.#with = options
  }

  /** Starts as many attempts as the lane may have in flight, or parks its deliveries if the lane is closed. */
  start(lane: Lane): void {
    const { queue, shards, spans, clock } = this.#with
    for (;;) {
      const maySend = lane.closedUntilMs === null && !this.#isStopped && shards.mayUse(lane.shard)
      const held = nextReady(lane, maySend)
      if (held === undefined) return
      if (lane.closedUntilMs !== null) queue.park(held, clock.nowMs())
      else void spans.attempt.run(held.delivery.traceparent, (span) => this.#attempt(held, span))
    }
  }

  /** Counts the requests in flight. */
  underWay(): number {
    return this.#underWay
  }

  /** Stops starting attempts. */
  stop(): void {
    this.#isStopped = true
  }

  /** Ignores the outcomes of attempts in flight from now on. */
  abandon(): void {
    this.#isAbandoned = true
  }

  async #attempt(held: Held, span: AttemptSpan): Promise<void> {
    const { lane, delivery } = held
    beginAttempt(held, performance.now())
    this.#underWay++
    describeAttempt(span, delivery)
    try {
      const sent = await this.#send(held)
      if (!this.#isAbandoned) this.#conclude(held, sent, span)
    } catch (error) {
      this.#with.log.error(
        { error, event_id: delivery.event_id },
        'A delivery could not be completed and signed',
      )
      span?.fail()
      this.#postpone(held, error)
    }
    lane.underWay--
    this.#underWay--
    this.start(lane)
    this.#with.signals.raiseWriting()
  }

  async #send({ delivery }: Held): Promise<SentAttempt> {
    const { lateFields, signers, dispatcher, clock } = this.#with
    const { body, isSecret } = await lateFields.complete(delivery)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Vaani-Webhooks/1',
      ...(await signers.sign(delivery, body)),
    }
    const request = { url: delivery.url, body, headers }
    return sendAttempt({ dispatcher, clock, request, keepExcerpt: !isSecret })
  }

  /** Parks a delivery that could not be sent, alone if the reason is its own, so that the others of its lane are sent. */
  #postpone(held: Held, error: unknown): void {
    const { queue, clock } = this.#with
    if (error instanceof UnreadableFieldError) {
      held.state = 'ended'
      queue.settle(held, { type: 'waits', nextAttemptMs: clock.nowMs() + UNREADABLE_MS })
      return
    }
    queue.park(held, clock.nowMs())
    held.lane.closedUntilMs = clock.nowMs() + (needsPerson(error) ? UNSIGNED_MS : RETRY_MS)
  }

  #conclude(held: Held, sent: SentAttempt, span: AttemptSpan): void {
    const { clock, events, metrics, reports } = this.#with
    const { attempt } = sent
    const status = this.#settle(held, sent)
    metrics.attemptDuration.observe({}, (performance.now() - held.sinceMs) / 1000)
    metrics.attempts.add({ outcome: OUTCOMES[status] })
    describeEnd(span, attempt, OUTCOMES[status])
    reports.note(held, attempt)
    if (countAttempt(held.lane, isOutage(attempt.status), clock.nowMs()))
      events.record('webhook_lane_opened', { count: held.lane.health.failures })
  }

  /** Queues the outcome of an attempt. */
  #settle(held: Held, { attempt, retryAfterMs }: SentAttempt): keyof typeof OUTCOMES {
    const { queue, policy, clock, events, metrics, log } = this.#with
    const { delivery } = held
    const verdict = judgeAttempt({
      policy,
      answer: { status: attempt.status, retryAfterMs },
      attempts: delivery.round_attempts + 1,
      firstAttemptMs: delivery.first_attempt_at?.getTime() ?? Date.parse(attempt.at),
      nowMs: clock.nowMs(),
      random: this.#with.random(),
    })
    const { event_id, account_id } = delivery
    held.state = 'ended'
    switch (verdict.status) {
      case 'delivered':
        queue.settle(held, { type: 'ended', status: 'delivered', attempt })
        break
      case 'dead':
        queue.settle(held, { type: 'ended', status: 'dead', reason: verdict.reason, attempt })
        metrics.dead.add({ reason: verdict.reason })
        events.record('webhook_dead', { event_id, account_id, reason: verdict.reason })
        break
      case 'pending':
        queue.settle(held, { type: 'failed', attempt, nextAttemptMs: verdict.nextAttemptMs })
        log.debug({ event_id, status: attempt.status, reason: attempt.error }, 'A delivery attempt failed')
    }
    return verdict.status
  }
}
