import { setTimeout as delay } from 'node:timers/promises'
import type { Call, WebhookDelivery } from '@vaani/contracts'
import type { ServerProcess } from './server-process.ts'
import type { ApiAnswer, Fleet } from './webhook-fleet.ts'

const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }
const CLIENTS = 6
/** Clients pause while the receiver is this many events behind, so that an outage does not build up a long backlog. */
const MAX_BEHIND = 200
const POLL_MS = 5

/** Requests that succeeded, so their events must arrive. */
export interface Promised {
  testEventIds: Set<string>
  placedCallIds: Set<string>
  canceledCallIds: Set<string>
}

export interface Load {
  /** Requests that have succeeded so far. */
  count(): number
  /** Resolves once every client has ended. Clients also end by themselves if their server does. */
  stop(): Promise<void>
}

export const promiseNothing = (): Promised => ({
  testEventIds: new Set(),
  placedCallIds: new Set(),
  canceledCallIds: new Set(),
})

/**
 * Starts clients that place calls, cancel most of them, and send test events, as fast as the server answers. The calls are
 * scheduled far ahead, so they cost no speech and have at most two events: queued, and failed once canceled.
 */
export function startLoad(options: {
  fleet: Fleet
  server: ServerProcess
  endpointIds: readonly string[]
  promised: Promised
  random: () => number
}): Load {
  const { fleet, server, endpointIds, promised, random } = options
  const stopping = new AbortController()
  const before = fleet.receiver.deliveries.length
  let count = 0

  const kept = <Body>({ status, body }: ApiAnswer<Body>): Body | undefined => {
    if (status < 200 || status >= 300) return undefined
    count++
    return body
  }
  async function sendTest(): Promise<void> {
    const endpointId = endpointIds[Math.floor(random() * endpointIds.length)]
    const route = `/webhooks/endpoints/${endpointId}/test`
    const sent = kept(await fleet.ask<WebhookDelivery>(server, route, { type: 'call.completed' }))
    if (sent) promised.testEventIds.add(sent.event_id)
  }
  async function placeAndCancel(): Promise<void> {
    const scheduled_at = new Date(Date.now() + 100 * 86_400_000).toISOString()
    const placed = kept(await fleet.ask<Call>(server, '/agent/calls', { ...call, scheduled_at }))
    if (!placed) return
    promised.placedCallIds.add(placed.call_id)
    if (random() < 0.2) return
    const canceled = kept(await fleet.ask(server, `/agent/calls/${placed.call_id}/cancel`, undefined, 'POST'))
    if (canceled) promised.canceledCallIds.add(placed.call_id)
  }
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (count - fleet.receiver.deliveries.length + before > MAX_BEHIND) {
        await delay(POLL_MS)
        continue
      }
      try {
        await (random() < 0.3 ? sendTest() : placeAndCancel())
      } catch {
        // Expected: the test kills the server. A request without a response carries no guarantee.
        return
      }
    }
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, run))
  return {
    count: () => count,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
