import type { Events } from '../events.ts'
import type { HeldLanes, Lane } from './held-lanes.ts'
import { LEASE_SECONDS, type LaneStore } from './lane-store.ts'

export const RENEW_MS = 5000
const LEASE_MS = LEASE_SECONDS * 1000

/** How the lanes of one worker come to it, stay, and go. */
export interface LaneLeases {
  /** Takes lanes that are due, as many as there is room for, and ends what is too old on them. */
  take(): Promise<void>
  /** Renews the leases where it is time, and drops the lanes that were lost. */
  renew(): Promise<void>
  giveBack(which: (lane: Lane) => boolean): Promise<void>
}

export function createLaneLeases(options: {
  store: LaneStore
  lanes: HeldLanes
  events: Events
}): LaneLeases {
  const { store, lanes, events } = options
  let lastRenewalMs = performance.now()

  return {
    async take() {
      const room = lanes.roomForLanes()
      // By the time before the statement, so that it ends here before it ends there.
      const leaseEndsMs = performance.now() + LEASE_MS
      const taken = room > 0 ? await store.acquire(room) : []
      for (const lane of taken) lanes.hold(lane, leaseEndsMs)
      if (taken.length === 0) return
      for (const { account_id } of await store.expire(taken.map(({ laneId }) => laneId)))
        events.record('webhook_dead', { account_id, reason: 'window_expired' })
    },
    async renew() {
      const nowMs = performance.now()
      if (nowMs - lastRenewalMs < RENEW_MS) return
      const kept = await store.renew(lanes.all().map(({ id }) => id))
      lastRenewalMs = nowMs
      for (const lane of lanes.all())
        if (kept.has(lane.id)) lane.leaseEndsMs = nowMs + LEASE_MS
        else lanes.drop(lane)
    },
    async giveBack(which) {
      const over = lanes.all().filter(which)
      if (over.length === 0) return
      await store.release(
        over.map(({ id, health, openUntilMs }) => ({ laneId: id, failures: health.failures, openUntilMs })),
      )
      for (const lane of over) lanes.drop(lane)
    },
  }
}
