import { setTimeout as delay } from 'node:timers/promises'
import type { DeadReason } from '@vaani/contracts'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf, type StopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { LaneRow } from './delivery.ts'
import { createHeldLanes, createLane, type Held, type Lane } from './held-lanes.ts'
import { createNewEvents } from './new-events.ts'
import type { Outbox } from './outbox.ts'
import type { Outcome, OutcomeStore } from './outcomes.ts'
import type { EndedDelivery, PendingStore } from './pending.ts'
import { repeat } from './repeat.ts'
import { createSender, type SenderOptions } from './sender.ts'
import { createSettling } from './settling.ts'
import type { Shards } from './shards.ts'
import { createSignal } from './signal.ts'

/** Other processes' events and retries are noticed this much later at most. */
export const POLL_MS = 250
/** Outcomes are written together with those of so long after them. */
const GATHER_MS = { ends: 2, others: 20 }
/** What takes longer waits in the database from then on, where others see it; and what was read before is read again. */
const SLOW_MS = 1000
const EXPIRE_MS = 1000
/** Another worker leaves what is under way alone for so long: longer than an attempt may take. */
const LENT_MS = 20_000

/** When it stops it gives its lanes to others at once; attempts that outlast the grace are made again by another worker. */
export interface DeliveryEngine extends BackgroundWorker {
  /** Events were written: delivers them now rather than at the next look. */
  wake(): void
}

export interface DeliveryEngineOptions extends Omit<SenderOptions, 'lanes' | 'mayUse' | 'settle' | 'onEnd'> {
  outbox: Outbox
  pending: PendingStore
  outcomes: OutcomeStore
  shards: Shards
}

/**
 * Delivers what is due on the lanes of the shards that it holds. Four loops run at once: one reads new events, two write
 * what became of attempts, many at a time, and one tends the lanes. What is in hand when it dies is read again by the next
 * holder, so each delivery is made at least once.
 */
export function startDeliveryEngine(options: DeliveryEngineOptions): DeliveryEngine {
  const { outbox, pending, outcomes, shards, clock, events, log } = options
  const stopping = new AbortController()
  const reading = createSignal()
  const writing = { ends: createSignal(), others: createSignal() }
  const tending = createSignal()
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let expiredAtMs = Number.NEGATIVE_INFINITY

  const lanes = createHeldLanes()
  const sender = createSender({
    ...options,
    lanes,
    mayUse: (shard) => shards.mayUse(shard),
    settle: (held, outcome) => settling.settle(held, outcome),
    onEnd: raiseWriting,
  })
  const settling = createSettling({
    outcomes,
    lanes,
    leave: (held) => sender.leave(held),
    onLeave: (held) => newEvents.noteLeaving(held),
    onLetGo({ lane }) {
      sender.start(lane)
      if (lane.look || lane.closedUntilMs !== null) tending.raise()
      if (newEvents.isCrowded() && !lanes.isFull()) reading.raise()
    },
    onDue(laneIds) {
      for (const laneId of laneIds) {
        const lane = lanes.find(laneId)
        if (lane) lane.look = true
      }
    },
  })
  function raiseWriting(): void {
    writing.ends.raise()
    writing.others.raise()
  }
  const waitsNow = (): Outcome => ({ type: 'waits', nextAttemptMs: clock.nowMs() })

  /** The lane of a row, in use or closed as the row says. */
  function holdAs(row: LaneRow): Lane {
    const lane = lanes.hold(row) ?? createLane(row)
    const isDisabled = lane.closedUntilMs === Number.POSITIVE_INFINITY
    if ((row.state !== 'in_use') === isDisabled) return lane
    lane.closedUntilMs = isDisabled ? null : Number.POSITIVE_INFINITY
    sender.start(lane)
    return lane
  }

  const newEvents = createNewEvents({
    outbox,
    lanes,
    sender,
    settling,
    shards,
    holdAs,
    leave: (held) => settling.settle(held, waitsNow()),
  })

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
      // It may have been given to another worker since.
      if (lanes.find(lane.id) !== lane) continue
      for (const delivery of found) lanes.takeDue(lane, delivery)
      lane.look ||= found.length >= room
      sender.start(lane)
    }
  }

  /** Looks for what this process cannot know of: lanes that are due, other processes' events, shards that are free. */
  async function look(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - lookedAtMs < POLL_MS) return
    lookedAtMs = nowMs
    newEvents.expect()
    reading.raise()
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
    for (const { account_id } of ended) events.record('webhook_dead', { account_id, reason })
  }

  async function shareShards(): Promise<void> {
    const { lost, surplus } = await shards.refresh()
    for (const lane of lanes.all()) {
      if (lost.has(lane.shard)) lanes.drop(lane)
      // What waited for the lease, or for the session.
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
    raiseWriting()
  }

  /** Lets lanes go on which nothing is in hand. */
  async function letLanesGo(which: (lane: Lane) => boolean): Promise<void> {
    const isOver = (lane: Lane): boolean => lane.inHand.size === 0 && which(lane) && !sender.hasReport(lane)
    const over = lanes.all().filter(isOver)
    await release(over)
    // New events may have come in the meantime.
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

  /**
   * Gives shards to others. What is under way on them ends here; until then it waits in the database.
   *
   * @returns what is under way
   */
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

  /** Writes what has ended; what cannot be written is sent again by the next holder. */
  async function writeLast(): Promise<void> {
    try {
      await sender.report()
      await settling.writeAll()
    } catch (error) {
      log.warn({ error }, 'Some webhooks may be sent again, as the database is away')
    }
  }

  const loop = (task: () => Promise<void>, sleep: () => Promise<void>) =>
    repeat(task, {
      sleep,
      stopping: stopping.signal,
      onError: (error) => log.warn({ error }, 'The delivery of webhooks waits for the database'),
    })
  const loops = [
    loop(tend, () => tending.wait(POLL_MS)),
    loop(
      async () => {
        await newEvents.read()
        raiseWriting()
      },
      async () => {
        if (!newEvents.hasMore()) await reading.wait(POLL_MS)
      },
    ),
    ...(['ends', 'others'] as const).map((kind) =>
      loop(
        () => settling[kind].write(),
        async () => {
          if (settling[kind].isEmpty()) await writing[kind].wait(POLL_MS)
          await delay(GATHER_MS[kind])
        },
      ),
    ),
  ]
  const running = Promise.all(loops.map(({ ended }) => ended))

  async function giveAll(): Promise<Held[]> {
    try {
      const lent = await handOver([...shards.held()])
      await shards.leave()
      return lent
    } catch (error) {
      log.warn({ error }, 'Others take over once the session has ended, as the database is away')
      return []
    }
  }

  async function stop({ graceOver, timeOver }: StopDeadline): Promise<void> {
    stopping.abort()
    sender.stop()
    for (const signal of [reading, tending, writing.ends, writing.others]) signal.raise()
    await endOf(running, timeOver)
    const giving = giveAll()
    await endOf(giving, timeOver)
    graceOver.addEventListener('abort', raiseWriting)
    while (sender.underWay() > 0 && !graceOver.aborted) {
      await writing.ends.wait(POLL_MS)
      await endOf(writeLast(), timeOver)
    }
    sender.abandon()
    if (timeOver.aborted) return
    for (const held of await giving) if (held.state === 'sending') settling.settle(held, waitsNow())
    await endOf(writeLast(), timeOver)
  }

  let stopped: Promise<void> | undefined
  return {
    name: 'webhooks',
    wake() {
      newEvents.expect()
      reading.raise()
    },
    isWorking: () => loops.every((one) => one.isBeating()),
    stop: (deadline) => (stopped ??= stop(deadline)),
  }
}
