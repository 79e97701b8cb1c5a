import type { DeliveryAttempt } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { WebhookEvent } from '../../events.ts'
import { isSuccess } from '../../rules/judge-attempt.ts'
import { judgeEndpoint } from '../../rules/judge-endpoint.ts'
import { disable, type Held, isDisabled, type Lane } from '../lanes/lane.ts'
import type { EndpointHealth, TriedEndpoint } from './endpoint-health.ts'

/** Tracks the health of endpoints, and disables those that are gone or have failed for days. */
export interface EndpointReports {
  /** Notes the result of an attempt on the lane, and queues the change of its endpoint that follows from it. */
  note(held: Held, attempt: DeliveryAttempt): void
  /** Writes the queued changes. If one fails, the next call retries it. */
  write(): Promise<void>
  /** Whether a change of the lane's endpoint is still to be written. */
  has(lane: Lane): boolean
}

export function createEndpointReports(options: {
  health: EndpointHealth
  clock: Clock
  events: Events<WebhookEvent>
}): EndpointReports {
  const { health, clock, events } = options
  const reports: { lane: Lane; write: () => Promise<unknown> }[] = []

  function queue(lane: Lane, write: () => Promise<unknown>): void {
    lane.isReported = true
    reports.push({ lane, write })
  }

  function noteSuccess(lane: Lane, tried: TriedEndpoint): void {
    if (lane.failingSinceMs !== null) queue(lane, () => health.markWell(tried))
    lane.failingSinceMs = null
    lane.warnedAtMs = null
  }

  function noteFailure(lane: Lane, tried: TriedEndpoint, { status, at }: DeliveryAttempt): void {
    const failingSinceMs = lane.failingSinceMs ?? Date.parse(at)
    if (lane.failingSinceMs === null) queue(lane, () => health.markFailing(tried, failingSinceMs))
    lane.failingSinceMs = failingSinceMs
    if (status === 410) return disableEndpoint(lane, tried, 'gone')
    switch (judgeEndpoint({ failingSinceMs, warnedAtMs: lane.warnedAtMs, nowMs: clock.nowMs() })) {
      case 'stays':
        return
      case 'is_warned':
        lane.warnedAtMs = clock.nowMs()
        queue(lane, () => health.warn(tried))
        return
      case 'is_disabled':
        return disableEndpoint(lane, tried, 'failing')
    }
  }

  function disableEndpoint(lane: Lane, tried: TriedEndpoint, reason: 'gone' | 'failing'): void {
    if (isDisabled(lane)) return
    disable(lane)
    queue(lane, async () => {
      if (await health.disable(tried, reason))
        events.record('webhook_endpoint_disabled', { endpoint_id: tried.endpointId, reason })
      // The URL has changed, or the endpoint was disabled already; the next read shows which.
      else lane.closedUntilMs = null
    })
  }

  return {
    note({ lane, delivery }, attempt) {
      if (delivery.endpoint_id === null) return
      const tried = { endpointId: delivery.endpoint_id, url: delivery.url }
      if (isSuccess(attempt.status)) noteSuccess(lane, tried)
      else noteFailure(lane, tried, attempt)
    },
    async write() {
      for (let [first] = reports; first !== undefined; [first] = reports) {
        await first.write()
        reports.shift()
      }
    },
    has: (lane) => reports.some((one) => one.lane === lane),
  }
}
