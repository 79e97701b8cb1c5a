import { setTimeout as delay } from 'node:timers/promises'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf, type StopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import { repeat } from '@vaani/service-kit/lifecycle/repeat'
import type { WebhookLoad, WebhookMetrics } from '../metrics.ts'
import { LaneKeeper, POLL_MS } from './lane-keeper.ts'
import { HeldLanes } from './lanes/held-lanes.ts'
import type { Held } from './lanes/lane.ts'
import { KINDS, OutcomeQueue } from './lanes/outcome-queue.ts'
import type { Signals } from './lanes/signals.ts'
import { UnreadEvents } from './lanes/unread.ts'
import { createNewEvents } from './read/new-events.ts'
import type { Outbox } from './read/outbox.ts'
import type { PendingStore } from './read/pending.ts'
import type { EndpointHealth } from './send/endpoint-health.ts'
import { createEndpointReports } from './send/endpoint-reports.ts'
import { Sender, type SenderOptions } from './send/sender.ts'
import type { OutcomeStore } from './settle/outcomes.ts'
import { createSettling } from './settle/settling.ts'
import type { Shards } from './shards/shards.ts'

/** Pause before each write, so that outcomes close together share one statement. */
const GATHER_MS = { ends: 2, others: 20 }

/** `stop` hands the lanes to other workers at once. Another worker repeats any attempt that outlasts the grace period. */
export interface DeliveryEngine extends BackgroundWorker {
  /** Signals new events, to deliver them now instead of at the next poll. */
  wake(): void
  /** Counts what this worker holds now. */
  load(): WebhookLoad
}

export interface DeliveryEngineOptions extends Omit<SenderOptions, 'queue' | 'reports'> {
  outbox: Outbox
  pending: PendingStore
  outcomes: OutcomeStore
  shards: Shards
  health: EndpointHealth
  metrics: WebhookMetrics
  signals: Signals
}

/**
 * Delivers what is due on the lanes of the shards that this worker holds. If the process dies, the next holder of its shards
 * reads whatever it had in hand again, so delivery is at-least-once.
 */
export function startDeliveryEngine(options: DeliveryEngineOptions): DeliveryEngine {
  const { shards, signals } = options
  const parts = assemble(options)
  const loops = startLoops(parts, options)
  const stopOnce = async (deadline: StopDeadline): Promise<void> => {
    const running = Promise.all(loops.map((one) => one.stop()))
    parts.sender.stop()
    for (const signal of [signals.reading, signals.tending]) signal.raise()
    signals.raiseWriting()
    await endOf(running, deadline.timeOver)
    await endDeliveries(parts, options, deadline)
  }

  let stopped: Promise<void> | undefined
  return {
    name: 'webhooks',
    wake: () => signals.reading.raise(),
    load: () => ({
      shards: shards.held().size,
      lanes: parts.lanes.all().length,
      inHand: parts.lanes.inHand(),
    }),
    isWorking: () => loops.every((one) => one.isWorking()),
    stop: (deadline) => (stopped ??= stopOnce(deadline)),
  }
}

type Parts = ReturnType<typeof assemble>

/** State first, then what sends, what writes, what reads, and what keeps the lanes: each uses only those before it. */
function assemble(options: DeliveryEngineOptions) {
  const lanes = new HeldLanes()
  const unread = new UnreadEvents()
  const state = { lanes, unread, queue: new OutcomeQueue(lanes, unread) }
  const reports = createEndpointReports(options)
  const sender = new Sender({ ...options, ...state, reports })
  const settling = createSettling({ ...options, ...state, sender })
  const newEvents = createNewEvents({ ...options, ...state, sender })
  const keeper = new LaneKeeper({ ...options, ...state, sender, reports, settling })
  return { ...state, reports, sender, settling, newEvents, keeper }
}

/** Four loops run concurrently: one reads new events, two write outcomes in batches, and one tends the lanes. */
function startLoops(parts: Parts, { signals, log }: DeliveryEngineOptions) {
  const { queue, unread, settling, newEvents, keeper } = parts
  /** Repeats a task, which sleeps until there is something to do again. */
  const loop = (run: () => Promise<void>) =>
    repeat({
      name: 'webhooks',
      everyMs: 0,
      run,
      onError: (error) => log.warn({ error }, 'Webhook delivery is waiting for the database'),
    })
  return [
    loop(async () => {
      await keeper.tend()
      await signals.tending.wait(POLL_MS)
    }),
    loop(async () => {
      await newEvents.read()
      signals.raiseWriting()
      if (!unread.hasMore()) await signals.reading.wait(POLL_MS)
    }),
    ...KINDS.map((kind) =>
      loop(async () => {
        await settling.write(kind)
        if (!queue.has(kind)) await signals.writing[kind].wait(POLL_MS)
        await delay(GATHER_MS[kind])
      }),
    ),
  ]
}

/** Hands the shards over, waits for the attempts in flight, and writes what they led to. */
async function endDeliveries(
  parts: Parts,
  options: DeliveryEngineOptions,
  { graceOver, timeOver }: StopDeadline,
): Promise<void> {
  const { sender, queue, keeper } = parts
  const { shards, signals, clock, log } = options

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

  /** Writes the outcomes of ended attempts. The next holder repeats those that cannot be written. */
  async function writeLast(): Promise<void> {
    try {
      await parts.reports.write()
      await parts.settling.writeAll()
    } catch (error) {
      log.warn(
        { error },
        'Some webhooks may be sent again: their outcomes could not be written to the database',
      )
    }
  }

  const releasing = releaseAll()
  await endOf(releasing, timeOver)
  graceOver.addEventListener('abort', () => signals.raiseWriting())
  while (sender.underWay() > 0 && !graceOver.aborted) {
    await signals.writing.ends.wait(POLL_MS)
    await endOf(writeLast(), timeOver)
  }
  sender.abandon()
  if (timeOver.aborted) return
  for (const held of await releasing)
    if (held.state === 'sending') queue.settle(held, { type: 'waits', nextAttemptMs: clock.nowMs() })
  await endOf(writeLast(), timeOver)
}
