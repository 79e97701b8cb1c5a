import type { DeadReason } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { WebhookEvent } from '../events.ts'
import type { WebhookMetrics } from '../metrics.ts'
import type { LaneRow } from './lanes/delivery.ts'
import type { HeldLanes } from './lanes/held-lanes.ts'
import { createLane, type Held, isDisabled, type Lane, matchRow } from './lanes/lane.ts'
import type { OutcomeQueue } from './lanes/outcome-queue.ts'
import type { Signals } from './lanes/signals.ts'
import type { UnreadEvents } from './lanes/unread.ts'
import type { EndedDelivery, PendingStore } from './read/pending.ts'
import type { EndpointReports } from './send/endpoint-reports.ts'
import type { Sender } from './send/sender.ts'
import type { Settling } from './settle/settling.ts'
import type { Shards } from './shards/shards.ts'

/** The longest delay before events and retries of other processes are noticed. */
export const POLL_MS = 250
/** After this long, a new delivery in flight is written to the database for others to see, and a waiting one is let go. */
const SLOW_MS = 1000
const EXPIRE_MS = 1000
/** How long the next holder leaves handed-over attempts in flight alone. Longer than an attempt may take. */
const LENT_MS = 20_000

export interface LaneKeeperOptions {
  pending: PendingStore
  shards: Shards
  lanes: HeldLanes
  queue: OutcomeQueue
  unread: UnreadEvents
  signals: Signals
  sender: Sender
  reports: EndpointReports
  settling: Settling
  clock: Clock
  events: Events<WebhookEvent>
  metrics: WebhookMetrics
}

/** Holds lanes for as long as this worker needs them, then releases them. */
export class LaneKeeper {
  readonly #with: LaneKeeperOptions
  #polledAtMs = Number.NEGATIVE_INFINITY
  #expiredAtMs = Number.NEGATIVE_INFINITY

  constructor(options: LaneKeeperOptions) {
    this.#with = options
  }

  /** Writes endpoint reports, polls the database, reads due deliveries and releases idle lanes. */
  async tend(): Promise<void> {
    await this.#with.reports.write()
    const nowMs = performance.now()
    if (nowMs - this.#polledAtMs >= POLL_MS) {
      this.#polledAtMs = nowMs
      await this.#poll(nowMs)
    }
    await this.#readDue()
    await this.#letLanesGo((lane) => lane.closedUntilMs !== null)
  }

  /**
   * Gives shards to other workers. Attempts in flight on them end here; until then their deliveries are postponed in the
   * database.
   *
   * @returns the deliveries in flight
   */
  async handOver(given: readonly number[]): Promise<Held[]> {
    const { shards, lanes, queue, settling, clock } = this.#with
    shards.forget(given)
    const over = lanes.all().filter((lane) => given.includes(lane.shard))
    const inHand = over.flatMap((lane) => [...lane.inHand.values()])
    for (const held of inHand) if (held.state === 'waiting') lanes.letGoFrom(held)
    const sending = inHand.filter((held) => held.state === 'sending')
    for (const held of sending) queue.settle(held, { type: 'waits', nextAttemptMs: clock.nowMs() + LENT_MS })
    await settling.writeAll()
    await this.#release(over)
    await shards.release(given)
    for (const lane of over) lanes.drop(lane)
    return sending
  }

  /** Looks for changes made by other processes: free shards and due lanes. */
  async #poll(nowMs: number): Promise<void> {
    await this.#letLanesGo((lane) => !lane.mayHaveDue)
    await this.#shareShards()
    this.#letGoOfSlow(nowMs)
    await this.#holdDueLanes()
    if (nowMs - this.#expiredAtMs < EXPIRE_MS) return
    this.#expiredAtMs = nowMs
    const { pending, shards, lanes } = this.#with
    const inHand = new Set(lanes.all().flatMap((lane) => [...lane.inHand.keys()]))
    this.#recordDead(await pending.expire([...shards.held()], inHand), 'window_expired')
  }

  async #shareShards(): Promise<void> {
    const { shards, lanes, sender, metrics } = this.#with
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
    await this.handOver(idlest.slice(0, surplus))
  }

  #letGoOfSlow(nowMs: number): void {
    const { lanes, queue, signals, clock } = this.#with
    for (const { inHand } of lanes.all())
      for (const held of inHand.values()) {
        if (nowMs - held.sinceMs < SLOW_MS || held.state === 'ended') continue
        const isNew = held.delivery.place.table === 'webhook_outbox'
        if (held.state === 'waiting') {
          lanes.letGoFrom(held)
          held.lane.mayHaveDue ||= !isNew
        } else if (isNew) queue.settle(held, { type: 'waits', nextAttemptMs: clock.nowMs() })
      }
    signals.raiseWriting()
  }

  async #holdDueLanes(): Promise<void> {
    const { pending, shards } = this.#with
    for (const row of await pending.readDueLanes([...shards.held()])) {
      if (!shards.held().has(row.shard)) continue
      const lane = this.#hold(row)
      lane.isListed = true
      lane.mayHaveDue = row.state === 'in_use'
      if (row.state === 'deleted') this.#recordDead(await pending.endDeleted(row.lane_id), 'endpoint_deleted')
    }
  }

  /** Holds the lane of a row, opened or closed to match the row. */
  #hold(row: LaneRow): Lane {
    const { lanes, sender } = this.#with
    const lane = lanes.hold(row) ?? createLane(row)
    matchRow(lane, row)
    sender.start(lane)
    return lane
  }

  #recordDead(ended: readonly EndedDelivery[], reason: DeadReason): void {
    const { metrics, events } = this.#with
    metrics.dead.add({ reason }, ended.length)
    for (const { account_id } of ended) events.record('webhook_dead', { account_id, reason })
  }

  async #readDue(): Promise<void> {
    const { pending, lanes, sender } = this.#with
    const wanted = lanes.wanted()
    if (wanted.length === 0) return
    for (const { lane } of wanted) lane.mayHaveDue = false
    const due = await pending.readDue(
      wanted.map(({ lane, room }) => ({ laneId: lane.id, room, inHand: [...lane.inHand.keys()] })),
    )
    const dueByLane = Map.groupBy(due, (delivery) => delivery.lane_id)
    for (const { lane, room } of wanted) {
      const found = dueByLane.get(lane.id) ?? []
      // The lane may have been given to another worker during the read.
      if (lanes.find(lane.id) !== lane) continue
      for (const delivery of found) lanes.addDue(lane, delivery, performance.now())
      lane.mayHaveDue ||= found.length >= room
      sender.start(lane)
    }
  }

  /** Releases matching lanes that have nothing in hand. */
  async #letLanesGo(which: (lane: Lane) => boolean): Promise<void> {
    const { lanes, unread, reports } = this.#with
    const isOver = (lane: Lane): boolean => lane.inHand.size === 0 && which(lane) && !reports.has(lane)
    const over = lanes.all().filter(isOver)
    await this.#release(over)
    // New events may have arrived during the release.
    for (const lane of over) {
      if (!isOver(lane)) continue
      if (lane.closedUntilMs !== null || lane.isReported) unread.noteChange(lane)
      lanes.drop(lane)
    }
  }

  async #release(over: readonly Lane[]): Promise<void> {
    const listed = over.filter((lane) => lane.isListed || lane.health.failures > 0)
    if (listed.length === 0) return
    await this.#with.pending.release(
      listed.map((lane) => ({
        laneId: lane.id,
        failures: lane.health.failures,
        openUntilMs: isDisabled(lane) ? null : lane.closedUntilMs,
      })),
    )
  }
}
