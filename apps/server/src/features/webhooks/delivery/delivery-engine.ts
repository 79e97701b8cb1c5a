import { setTimeout as delay } from 'node:timers/promises'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf, type StopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import { repeat } from '@vaani/service-kit/lifecycle/repeat'
import { createHeldLanes, type Held } from './held-lanes.ts'
import type { WebhookLoad, WebhookMetrics } from '../metrics.ts'
import { createHoldAs, createLaneKeeper, POLL_MS } from './lane-keeper.ts'
import { createNewEvents } from './new-events.ts'
import type { Outbox } from './outbox.ts'
import type { Outcome, OutcomeStore } from './outcomes.ts'
import type { PendingStore } from './pending.ts'
import { createSender, type SenderOptions } from './sender.ts'
import { createSettling } from './settling.ts'
import type { Shards } from './shards.ts'
import { createSignal } from './signal.ts'

/** Pause before each write, so that outcomes close together share one statement. */
const GATHER_MS = { ends: 2, others: 20 }

/** `stop` hands the lanes to other workers at once. Another worker repeats any attempt that outlasts the grace period. */
export interface DeliveryEngine extends BackgroundWorker {
  /** Signals new events, to deliver them now instead of at the next poll. */
  wake(): void
  /** Counts what this worker holds now. */
  load(): WebhookLoad
}

export interface DeliveryEngineOptions extends Omit<SenderOptions, 'lanes' | 'mayUse' | 'settle' | 'onEnd'> {
  outbox: Outbox
  pending: PendingStore
  outcomes: OutcomeStore
  shards: Shards
  metrics: WebhookMetrics
}

/**
 * Delivers what is due on the lanes of the shards that this worker holds. Four loops run concurrently: one reads new events,
 * two write outcomes in batches, and one tends the lanes. If the process dies, the next holder of its shards reads whatever
 * it had in hand again, so delivery is at-least-once.
 */
export function startDeliveryEngine(options: DeliveryEngineOptions): DeliveryEngine {
  const { outbox, pending, outcomes, shards, clock, events, metrics, log } = options
  const reading = createSignal()
  const writing = { ends: createSignal(), others: createSignal() }
  const tending = createSignal()

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
  const holdAs = createHoldAs(lanes, sender)
  const newEvents = createNewEvents({
    outbox,
    lanes,
    sender,
    settling,
    shards,
    holdAs,
    leave: (held) => settling.settle(held, waitsNow()),
  })
  const keeper = createLaneKeeper({
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
    onLook: expectEvents,
    onSettled: raiseWriting,
  })

  function expectEvents(): void {
    newEvents.expect()
    reading.raise()
  }

  /** Writes the outcomes of ended attempts. The next holder repeats those that cannot be written. */
  async function writeLast(): Promise<void> {
    try {
      await sender.report()
      await settling.writeAll()
    } catch (error) {
      log.warn(
        { error },
        'Some webhooks may be sent again: their outcomes could not be written to the database',
      )
    }
  }

  /** Repeats a task, which sleeps until there is something to do again. */
  const loop = (run: () => Promise<void>) =>
    repeat({
      name: 'webhooks',
      everyMs: 0,
      run,
      onError: (error) => log.warn({ error }, 'Webhook delivery is waiting for the database'),
    })
  const loops = [
    loop(async () => {
      await keeper.tend()
      await tending.wait(POLL_MS)
    }),
    loop(async () => {
      await newEvents.read()
      raiseWriting()
      if (!newEvents.hasMore()) await reading.wait(POLL_MS)
    }),
    ...(['ends', 'others'] as const).map((kind) =>
      loop(async () => {
        await settling[kind].write()
        if (settling[kind].isEmpty()) await writing[kind].wait(POLL_MS)
        await delay(GATHER_MS[kind])
      }),
    ),
  ]

  async function releaseAll(): Promise<Held[]> {
    try {
      const lent = await keeper.handOver([...shards.held()])
      await shards.leave()
      return lent
    } catch (error) {
      log.warn(
        { error },
        'The shards could not be released; other workers take over once this session has ended',
      )
      return []
    }
  }

  async function stop({ graceOver, timeOver }: StopDeadline): Promise<void> {
    const running = Promise.all(loops.map((one) => one.stop()))
    sender.stop()
    for (const signal of [reading, tending, writing.ends, writing.others]) signal.raise()
    await endOf(running, timeOver)
    const releasing = releaseAll()
    await endOf(releasing, timeOver)
    graceOver.addEventListener('abort', raiseWriting)
    while (sender.underWay() > 0 && !graceOver.aborted) {
      await writing.ends.wait(POLL_MS)
      await endOf(writeLast(), timeOver)
    }
    sender.abandon()
    if (timeOver.aborted) return
    for (const held of await releasing) if (held.state === 'sending') settling.settle(held, waitsNow())
    await endOf(writeLast(), timeOver)
  }

  let stopped: Promise<void> | undefined
  return {
    name: 'webhooks',
    wake: expectEvents,
    load: () => ({ shards: shards.held().size, lanes: lanes.all().length, inHand: lanes.inHand() }),
    isWorking: () => loops.every((one) => one.isWorking()),
    stop: (deadline) => (stopped ??= stop(deadline)),
  }
}
