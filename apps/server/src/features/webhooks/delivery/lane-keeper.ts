import type { DeadReason } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { WebhookEvent } from '../events.ts'
import type { WebhookMetrics } from '../metrics.ts'
import type { LaneRow } from './delivery.ts'
import { createLane, type Held, type HeldLanes, type Lane } from './held-lanes.ts'
import type { NewEvents } from './new-events.ts'
import type { Outcome } from './outcomes.ts'
import type { EndedDelivery, PendingStore } from './pending.ts'
import type { Sender } from './sender.ts'
import type { Settling } from './settling.ts'
import type { Shards } from './shards.ts'

/** The longest delay before events and retries of other processes are noticed. */
export const POLL_MS = 250
/** After this long, a new delivery in flight is written to the database for others to see, and a waiting one is let go. */
const SLOW_MS = 1000
const EXPIRE_MS = 1000
/** How long the next holder leaves handed-over attempts in flight alone. Longer than an attempt may take. */
const LENT_MS = 20_000

/** Holds lanes for as long as this worker needs them, then releases them. */
export interface LaneKeeper {
  /** Writes endpoint reports, looks for due deliveries and releases idle lanes. */
  tend(): Promise<void>
  /**
   * Gives shards to other workers. Attempts in flight on them end here; until then their deliveries are postponed in the
   * database.
   *
   * @returns the deliveries in flight
   */
  handOver(given: readonly number[]): Promise<Held[]>
}

/** Creates a function that holds the lane of a row and opens or closes it to match the state of the row. */
export const createHoldAs =
  (lanes: HeldLanes, sender: Sender) =>
  (row: LaneRow): Lane => {
    const lane = lanes.hold(row) ?? createLane(row)
    const isDisabled = lane.closedUntilMs === Number.POSITIVE_INFINITY
    if ((row.state !== 'in_use') === isDisabled) return lane
    lane.closedUntilMs = isDisabled ? null : Number.POSITIVE_INFINITY
    sender.start(lane)
    return lane
  }

export function createLaneKeeper(options: {
  pending: PendingStore
  shards: Shards
  lanes: HeldLanes
  sender: Sender
  settling: Settling
  newEvents: NewEvents
  holdAs: (row: LaneRow) => Lane
  clock: Clock
  events: Events<WebhookEvent>
  metrics: WebhookMetrics
  /** Called when other processes may have written events. */
  onLook: () => void
  /** Called when there may be outcomes to write. */
  onSettled: () => void
}): LaneKeeper {
  const {
    pending,
    shards,
    lanes,
    sender,
    settling,
    newEvents,
    holdAs,
    clock,
    events,
    metrics,
    onLook,
    onSettled,
  } = options
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let expiredAtMs = Number.NEGATIVE_INFINITY
  const waitsNow = (): Outcome => ({ type: 'waits', nextAttemptMs: clock.nowMs() })

  async function readDue(): Promise<void> {
    const wanted = lanes.wanted()
    if (wanted.length === 0) return
    for (const { lane } of wanted) lane.look = false
    const due = await pending.readDue(
      wanted.map(({ lane, room }) => ({ laneId: lane.id, room, inHand: [...lane.inHand.keys()] })),
    )
    const dueByLane = Map.groupBy(due, (delivery) => delivery.lane_id)
    for (const { lane, room } of wanted) {
      const found = dueByLane.get(lane.id) ?? []
      // The lane may have been given to another worker during the read.
      if (lanes.find(lane.id) !== lane) continue
      for (const delivery of found) lanes.takeDue(lane, delivery)
      lane.look ||= found.length >= room
      sender.start(lane)
    }
  }

  /** Polls for changes made by other processes: due lanes, new events and free shards. */
  async function look(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - lookedAtMs < POLL_MS) return
    lookedAtMs = nowMs
    onLook()
    await letLanesGo((lane) => !lane.look)
    await shareShards()
    letGoOfSlow(nowMs)
    const held = [...shards.held()]
    for (const row of await pending.readDueLanes(held)) {
      if (!shards.held().has(row.shard)) continue
      const lane = holdAs(row)
      lane.isListed = true
      lane.look = row.state === 'in_use'
      if (row.state === 'deleted') recordDead(await pending.endDeleted(row.lane_id), 'endpoint_deleted')
    }
    if (nowMs - expiredAtMs < EXPIRE_MS) return
    expiredAtMs = nowMs
    const inHand = new Set(lanes.all().flatMap((lane) => [...lane.inHand.keys()]))
    recordDead(await pending.expire(held, inHand), 'window_expired')
  }

  function recordDead(ended: readonly EndedDelivery[], reason: DeadReason): void {
    metrics.dead.add({ reason }, ended.length)
    for (const { account_id } of ended) events.record('webhook_dead', { account_id, reason })
  }

  async function shareShards(): Promise<void> {
    const { lost, surplus } = await shards.refresh()
    metrics.lostShards.add({}, lost.size)
    for (const lane of lanes.all()) {
      if (lost.has(lane.shard)) lanes.drop(lane)
      // Resume deliveries that waited for the lease or the session.
      else sender.start(lane)
    }
    if (surplus === 0) return
    const inUse = new Map<number, number>()
    for (const lane of lanes.all()) inUse.set(lane.shard, (inUse.get(lane.shard) ?? 0) + lane.inHand.size)
    const idlest = [...shards.held()].toSorted((a, b) => (inUse.get(a) ?? 0) - (inUse.get(b) ?? 0))
    await handOver(idlest.slice(0, surplus))
  }

  function letGoOfSlow(nowMs: number): void {
    for (const lane of lanes.all())
      for (const held of lane.inHand.values()) {
        if (nowMs - held.sinceMs < SLOW_MS || held.state === 'ended') continue
        const isNew = held.delivery.place.table === 'webhook_outbox'
        if (held.state === 'waiting') {
          lanes.letGoFrom(held)
          lane.look ||= !isNew
        } else if (isNew) settling.settle(held, waitsNow())
      }
    onSettled()
  }

  /** Releases matching lanes that have nothing in hand. */
  async function letLanesGo(which: (lane: Lane) => boolean): Promise<void> {
    const isOver = (lane: Lane): boolean => lane.inHand.size === 0 && which(lane) && !sender.hasReport(lane)
    const over = lanes.all().filter(isOver)
    await release(over)
    // New events may have arrived during the release.
    for (const lane of over) {
      if (!isOver(lane)) continue
      if (lane.closedUntilMs !== null || lane.isReported) newEvents.noteChange(lane)
      lanes.drop(lane)
    }
  }

  async function release(over: readonly Lane[]): Promise<void> {
    const listed = over.filter((lane) => lane.isListed || lane.health.failures > 0)
    if (listed.length === 0) return
    await pending.release(
      listed.map(({ id, health, closedUntilMs }) => ({
        laneId: id,
        failures: health.failures,
        openUntilMs: closedUntilMs === Number.POSITIVE_INFINITY ? null : closedUntilMs,
      })),
    )
  }

  async function handOver(given: readonly number[]): Promise<Held[]> {
    shards.forget(given)
    const over = lanes.all().filter((lane) => given.includes(lane.shard))
    const inHand = over.flatMap((lane) => [...lane.inHand.values()])
    for (const held of inHand) if (held.state === 'waiting') lanes.letGoFrom(held)
    const sending = inHand.filter((held) => held.state === 'sending')
    for (const held of sending)
      settling.settle(held, { type: 'waits', nextAttemptMs: clock.nowMs() + LENT_MS })
    await settling.writeAll()
    await release(over)
    await shards.release(given)
    for (const lane of over) lanes.drop(lane)
    return sending
  }

  async function tend(): Promise<void> {
    await sender.report()
    await look()
    await readDue()
    await letLanesGo((lane) => lane.closedUntilMs !== null)
  }

  return { tend, handOver }
}
