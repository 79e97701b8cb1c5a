import { afterAttempt, type LaneHealth, healthOf, openMs } from '../../rules/breaker.ts'
import type { Delivery, LaneRow } from './delivery.ts'

/** A delivery that this worker has in hand, from reading it until its outcome is written. */
export interface Held {
  readonly delivery: Delivery
  readonly lane: Lane
  state: 'waiting' | 'sending' | 'ended'
  /** Monotonic time at which it was read, or at which sending began. */
  sinceMs: number
}

/** A lane that this worker holds, with its deliveries in hand. */
export interface Lane {
  readonly id: string
  readonly shard: number
  health: LaneHealth
  /** Nothing is sent until this time. Null while the lane is in use; infinite while its endpoint is disabled. */
  closedUntilMs: number | null
  readonly inHand: Map<string, Held>
  /** Deliveries in hand by object, in event order. Only the first of each object may be sent. */
  readonly objects: Map<string, Held[]>
  /** Deliveries that came first for their object. Some may have been let go since. */
  ready: Held[]
  underWay: number
  /** Whether more deliveries may be due in the database. */
  mayHaveDue: boolean
  /** Whether the lane may have a row in the database, which must then be updated on release. */
  isListed: boolean
  /** Whether a change to its endpoint was reported, which makes earlier reads of the endpoint stale. */
  isReported: boolean
  failingSinceMs: number | null
  warnedAtMs: number | null
}

export const createLane = ({ lane_id, shard, failures, failing_since, warned_at }: LaneRow): Lane => ({
  id: lane_id,
  shard,
  health: healthOf(failures),
  closedUntilMs: null,
  inHand: new Map(),
  objects: new Map(),
  ready: [],
  underWay: 0,
  mayHaveDue: false,
  isListed: failures > 0,
  isReported: false,
  failingSinceMs: failing_since?.getTime() ?? null,
  warnedAtMs: warned_at?.getTime() ?? null,
})

/** Adds a delivery behind those of its object. */
export function addTo(lane: Lane, delivery: Delivery, monotonicMs: number): void {
  const held: Held = { delivery, lane, state: 'waiting', sinceMs: monotonicMs }
  lane.inHand.set(delivery.delivery_id, held)
  const before = lane.objects.get(delivery.object_id)
  if (before) before.push(held)
  else {
    lane.objects.set(delivery.object_id, [held])
    lane.ready.push(held)
  }
}

/**
 * Removes a delivery from its lane, after which the next one of its object is ready.
 *
 * @returns whether it was in hand
 */
export function removeFrom({ lane, delivery }: Held): boolean {
  const held = lane.inHand.get(delivery.delivery_id)
  if (held === undefined) return false
  lane.inHand.delete(delivery.delivery_id)
  held.state = 'ended'
  const ofObject = lane.objects.get(delivery.object_id) ?? []
  const rest = ofObject.filter((one) => one !== held)
  if (rest.length > 0) lane.objects.set(delivery.object_id, rest)
  else lane.objects.delete(delivery.object_id)
  const [first] = rest
  if (first !== undefined && ofObject[0] === held) lane.ready.push(first)
  return true
}

/** Returns a delivery in hand and those behind it, in event order; none if it is no longer in hand. */
export function withThoseBehind(held: Held): Held[] {
  const ofObject = held.lane.objects.get(held.delivery.object_id) ?? []
  const index = ofObject.indexOf(held)
  return index < 0 ? [] : ofObject.slice(index)
}

/** Returns the next delivery to send or, on a closed lane, to park; undefined if none is ready or the lane sends enough. */
export function nextReady(lane: Lane, maySend: boolean): Held | undefined {
  if (lane.closedUntilMs === null && !(maySend && lane.underWay < lane.health.concurrency)) return undefined
  for (let held = lane.ready.shift(); held !== undefined; held = lane.ready.shift())
    if (held.state === 'waiting') return held
  return undefined
}

export function beginAttempt(held: Held, monotonicMs: number): void {
  held.state = 'sending'
  held.sinceMs = monotonicMs
  held.lane.underWay++
}

/**
 * Counts an attempt in the health of its lane, unless the lane is closed.
 *
 * @returns whether the lane's circuit breaker opened, which closes the lane
 */
export function countAttempt(lane: Lane, isOutage: boolean, nowMs: number): boolean {
  if (lane.closedUntilMs !== null) return false
  lane.health = afterAttempt(lane.health, isOutage)
  const waitMs = openMs(lane.health.failures)
  if (waitMs === null) return false
  lane.closedUntilMs = nowMs + waitMs
  return true
}

export const isDisabled = (lane: Lane): boolean => lane.closedUntilMs === Number.POSITIVE_INFINITY

export function disable(lane: Lane): void {
  lane.closedUntilMs = Number.POSITIVE_INFINITY
}

/** Opens or closes a lane to match its row. A lane that rests after failures stays as it is. */
export function matchRow(lane: Lane, { state }: LaneRow): void {
  if ((state !== 'in_use') === isDisabled(lane)) return
  if (isDisabled(lane)) lane.closedUntilMs = null
  else disable(lane)
}
