import type { DeliveryAttempt } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Dispatcher } from 'undici'
import type { WebhookEvent } from '../events.ts'
import { afterAttempt, openMs } from '../rules/breaker.ts'
import { isOutage, isSuccess, judgeAttempt, type RetryPolicy } from '../rules/judge-attempt.ts'
import { judgeEndpoint } from '../rules/judge-endpoint.ts'
import type { WebhookMetrics } from '../metrics.ts'
import { type AttemptSpan, describeAttempt, describeEnd, type WebhookSpans } from '../spans.ts'
import type { EndpointHealth, TriedEndpoint } from './endpoint-health.ts'
import type { Held, HeldLanes, Lane } from './held-lanes.ts'
import { type LateFields, UnreadableFieldError } from './late-fields.ts'
import type { Outcome } from './outcomes.ts'
import { type SentAttempt, sendAttempt } from './send-attempt.ts'
import { needsPerson, type Signers } from './signers.ts'

/** Pause of a lane after an internal error, e.g. an unreachable database. */
const RETRY_MS = 500
/** Pause of a lane whose secret is missing or cannot be opened, which a person must fix. */
const UNSIGNED_MS = 30_000
/** Pause of a delivery whose late field cannot be opened. Longer, because each such delivery is logged at each try. */
const UNREADABLE_MS = 600_000
const OUTCOMES = { delivered: 'delivered', pending: 'retried', dead: 'dead' } as const

/** Attempts the deliveries in hand. */
export interface Sender {
  /** Starts as many attempts as the lane may have in flight, or parks its deliveries if the lane is closed. */
  start(lane: Lane): void
  /** Parks a delivery in the database. */
  leave(held: Held): void
  /** Writes the endpoint changes that attempts have led to. */
  report(): Promise<void>
  /** Whether a change to the lane's endpoint is still to be written. */
  hasReport(lane: Lane): boolean
  /** Counts the requests in flight. */
  underWay(): number
  /** Stops starting attempts. */
  stop(): void
  /** Ignores the outcomes of attempts in flight from now on. */
  abandon(): void
}

export interface SenderOptions {
  lanes: HeldLanes
  lateFields: Pick<LateFields, 'complete'>
  signers: Signers
  dispatcher: Dispatcher
  policy: RetryPolicy
  health: EndpointHealth
  clock: Clock
  random: () => number
  events: Events<WebhookEvent>
  metrics: WebhookMetrics
  spans: WebhookSpans
  log: Logger
  /** Whether this worker certainly holds the shard. */
  mayUse(shard: number): boolean
  settle(held: Held, outcome: Outcome): void
  /** Called after each attempt. */
  onEnd(): void
}

export function createSender(options: SenderOptions): Sender {
  const {
    lanes,
    lateFields,
    signers,
    dispatcher,
    policy,
    health,
    clock,
    events,
    metrics,
    spans,
    log,
    settle,
  } = options
  let isStopped = false
  let isAbandoned = false
  let underWay = 0
  const reports: { lane: Lane; write: () => Promise<unknown> }[] = []

  function leave(held: Held): void {
    if (held.delivery.place.table === 'webhook_pending') return lanes.letGoFrom(held)
    held.state = 'ended'
    settle(held, { type: 'waits', nextAttemptMs: clock.nowMs() })
  }

  /** Parks a delivery that keeps failing for a reason of its own, so that the others of its lane are sent. */
  function postpone(held: Held): void {
    held.state = 'ended'
    settle(held, { type: 'waits', nextAttemptMs: clock.nowMs() + UNREADABLE_MS })
  }

  /** Stops sending on a lane. The lane is released after its attempts in flight end. */
  function close(lane: Lane, untilMs: number): void {
    lane.closedUntilMs = untilMs
    start(lane)
  }

  function start(lane: Lane): void {
    for (;;) {
      const isClosed = lane.closedUntilMs !== null
      if (!isClosed && !mayStart(lane)) return
      const held = lane.ready.shift()
      if (held === undefined) return
      if (held.state !== 'waiting') continue
      if (isClosed) leave(held)
      else void spans.attempt.run(held.delivery.traceparent, (span) => attempt(held, span))
    }
  }

  const mayStart = (lane: Lane): boolean =>
    !isStopped && lane.underWay < lane.health.concurrency && options.mayUse(lane.shard)

  async function attempt(held: Held, span: AttemptSpan): Promise<void> {
    const { lane, delivery } = held
    held.state = 'sending'
    held.sinceMs = performance.now()
    lane.underWay++
    underWay++
    describeAttempt(span, delivery)
    try {
      const { body, isSecret } = await lateFields.complete(delivery)
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Vaani-Webhooks/1',
        ...(await signers.sign(delivery, body)),
      }
      const request = { url: delivery.url, body, headers }
      const sent = await sendAttempt({ dispatcher, clock, request, keepExcerpt: !isSecret })
      if (!isAbandoned) conclude(held, sent, span)
    } catch (error) {
      log.error({ error, event_id: delivery.event_id }, 'A delivery could not be completed and signed')
      span?.fail()
      if (error instanceof UnreadableFieldError) postpone(held)
      else {
        leave(held)
        close(lane, clock.nowMs() + (needsPerson(error) ? UNSIGNED_MS : RETRY_MS))
      }
    }
    lane.underWay--
    underWay--
    start(lane)
    options.onEnd()
  }

  function conclude(held: Held, { attempt: made, retryAfterMs }: SentAttempt, span: AttemptSpan): void {
    const { lane, delivery } = held
    const verdict = judgeAttempt({
      policy,
      answer: { status: made.status, retryAfterMs },
      attempts: delivery.round_attempts + 1,
      firstAttemptMs: delivery.first_attempt_at?.getTime() ?? Date.parse(made.at),
      nowMs: clock.nowMs(),
      random: options.random(),
    })
    held.state = 'ended'
    const { event_id, account_id } = delivery
    metrics.attemptDuration.observe({}, (performance.now() - held.sinceMs) / 1000)
    metrics.attempts.add({ outcome: OUTCOMES[verdict.status] })
    describeEnd(span, made, OUTCOMES[verdict.status])
    switch (verdict.status) {
      case 'delivered':
        settle(held, { type: 'ended', status: 'delivered', attempt: made })
        break
      case 'dead':
        settle(held, { type: 'ended', status: 'dead', reason: verdict.reason, attempt: made })
        metrics.dead.add({ reason: verdict.reason })
        events.record('webhook_dead', { event_id, account_id, reason: verdict.reason })
        break
      case 'pending':
        settle(held, { type: 'failed', attempt: made, nextAttemptMs: verdict.nextAttemptMs })
        log.debug({ event_id, status: made.status, reason: made.error }, 'A delivery attempt failed')
    }
    noteEndpoint(held, made)
    if (lane.closedUntilMs !== null) return
    lane.health = afterAttempt(lane.health, isOutage(made.status))
    const waitMs = openMs(lane.health.failures)
    if (waitMs === null) return
    close(lane, clock.nowMs() + waitMs)
    events.record('webhook_lane_opened', { count: lane.health.failures })
  }

  /** Tracks the health of the endpoint, and disables it if it is gone or has failed for days. */
  function noteEndpoint({ lane, delivery }: Held, { status, at }: DeliveryAttempt): void {
    if (delivery.endpoint_id === null) return
    const tried = { endpointId: delivery.endpoint_id, url: delivery.url }
    const isFailing = lane.failingSinceMs !== null
    if (isSuccess(status)) {
      lane.failingSinceMs = null
      lane.warnedAtMs = null
      if (isFailing) report(lane, () => health.markWell(tried))
      return
    }
    if (lane.failingSinceMs === null) {
      lane.failingSinceMs = Date.parse(at)
      const sinceMs = lane.failingSinceMs
      report(lane, () => health.markFailing(tried, sinceMs))
    }
    if (status === 410) return disable(lane, tried, 'gone')
    const { failingSinceMs, warnedAtMs } = lane
    switch (judgeEndpoint({ failingSinceMs, warnedAtMs, nowMs: clock.nowMs() })) {
      case 'stays':
        return
      case 'is_warned':
        lane.warnedAtMs = clock.nowMs()
        report(lane, () => health.warn(tried))
        return
      case 'is_disabled':
        return disable(lane, tried, 'failing')
    }
  }

  function report(lane: Lane, write: () => Promise<unknown>): void {
    lane.isReported = true
    reports.push({ lane, write })
  }

  function disable(lane: Lane, tried: TriedEndpoint, reason: 'gone' | 'failing'): void {
    if (lane.closedUntilMs === Number.POSITIVE_INFINITY) return
    lane.closedUntilMs = Number.POSITIVE_INFINITY
    report(lane, async () => {
      if (await health.disable(tried, reason))
        events.record('webhook_endpoint_disabled', { endpoint_id: tried.endpointId, reason })
      // The URL has changed, or the endpoint was disabled already; the next read shows which.
      else lane.closedUntilMs = null
    })
  }

  return {
    start,
    leave,
    async report() {
      for (let [first] = reports; first !== undefined; [first] = reports) {
        await first.write()
        reports.shift()
      }
    },
    hasReport: (lane) => reports.some((one) => one.lane === lane),
    underWay: () => underWay,
    stop() {
      isStopped = true
    },
    abandon() {
      isAbandoned = true
    },
  }
}
