import { setTimeout as delay } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Clock } from '../clock.ts'
import type { Events } from '../events.ts'
import { type BackgroundWorker, createPulse } from '../lifecycle/background-worker.ts'
import { endOf } from '../lifecycle/stop-deadline.ts'
import type { Logger } from '../log.ts'
import { VaultError } from '../secrets/vault.ts'
import { afterAttempt, openMs } from './breaker.ts'
import type { FannedOut } from './fan-out.ts'
import { createHeldLanes, type Lane } from './held-lanes.ts'
import { isOutage, judgeAttempt, type RetryPolicy } from './judge-attempt.ts'
import { createLaneLeases, RENEW_MS } from './lane-leases.ts'
import type { DueDelivery, LaneStore, SettledAttempt } from './lane-store.ts'
import { type SentAttempt, sendAttempt } from './send-attempt.ts'
import type { Signers } from './signers.ts'

/** Other processes' events and retries are noticed this much later at most. */
const POLL_MS = 250
/** After a fault of ours, such as a database that is away. */
const RETRY_MS = 500
/** A secret that cannot be opened needs a person. */
const SEALED_OPEN_MS = 30_000

/** When it stops it gives its lanes back; attempts that outlast the grace are made again by another worker. */
export interface DeliveryEngine extends BackgroundWorker {
  /** Events were written: delivers them now rather than at the next look. */
  wake(): void
}

export interface DeliveryEngineOptions {
  store: LaneStore
  fanOut(): Promise<FannedOut>
  signers: Signers
  dispatcher: Dispatcher
  policy: RetryPolicy
  clock: Clock
  random: () => number
  events: Events
  log: Logger
}

/**
 * Delivers what is due on the lanes that it holds: reads deliveries, makes their attempts, and writes the outcomes, many
 * at once. Whatever dies with it is read again by the next holder of the lane, so each delivery is made at least once.
 */
export function startDeliveryEngine(options: DeliveryEngineOptions): DeliveryEngine {
  const { store, signers, dispatcher, policy, clock, events, log } = options
  const lanes = createHeldLanes()
  const leases = createLaneLeases({ store, lanes, events })
  const stopping = new AbortController()
  const pulse = createPulse()
  let settled: SettledAttempt[] = []
  let abandoned = false
  let eventsWait = true
  let lastLookMs = Number.NEGATIVE_INFINITY
  let stir = Promise.withResolvers<void>()

  /** Sleeps until something happens, or for so long. */
  async function sleep(ms: number): Promise<void> {
    const timer = setTimeout(() => stir.resolve(), ms)
    await stir.promise
    clearTimeout(timer)
    stir = Promise.withResolvers()
  }

  async function attempt(lane: Lane, delivery: DueDelivery): Promise<void> {
    lane.underWay++
    try {
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Vaani-Webhooks/1',
        ...(await signers.sign(delivery)),
      }
      const request = { url: delivery.url, body: delivery.body, headers }
      const sent = await sendAttempt({ dispatcher, clock, request })
      if (!abandoned) conclude(lane, delivery, sent)
    } catch (error) {
      log.error({ error, event_id: delivery.event_id }, 'A delivery could not be signed')
      open(lane, error instanceof VaultError ? SEALED_OPEN_MS : RETRY_MS)
      lanes.letGo(lane, delivery.delivery_id)
    }
    lane.underWay--
    start(lane)
    stir.resolve()
  }

  function conclude(lane: Lane, delivery: DueDelivery, { attempt: made, retryAfterMs }: SentAttempt): void {
    const verdict = judgeAttempt({
      policy,
      answer: { status: made.status, retryAfterMs },
      attempts: delivery.round_attempts + 1,
      firstAttemptMs: delivery.first_attempt_at?.getTime() ?? Date.parse(made.at),
      nowMs: clock.nowMs(),
      random: options.random(),
    })
    settled.push({ delivery, attempt: made, verdict })
    const { event_id, account_id } = delivery
    if (verdict.status === 'dead')
      events.record('webhook_dead', { event_id, account_id, reason: verdict.reason })
    if (verdict.status === 'pending')
      log.debug({ event_id, status: made.status, reason: made.error }, 'An attempt to deliver failed')
    if (lane.openUntilMs !== null) return
    lane.health = afterAttempt(lane.health, isOutage(made.status))
    const waitMs = openMs(lane.health.failures)
    if (waitMs !== null) open(lane, waitMs)
  }

  /** Sends nothing more on a lane; it is given back once what is under way has ended. */
  function open(lane: Lane, waitMs: number): void {
    lane.openUntilMs = clock.nowMs() + waitMs
    leaveWaiting(lane)
    events.record('webhook_lane_opened', { count: lane.health.failures })
  }

  function leaveWaiting(lane: Lane): void {
    for (const { delivery_id } of lane.waiting.splice(0)) lanes.letGo(lane, delivery_id)
  }

  /** Past its lease a lane may be another worker's, as this one may have slept: only a renewal tells. */
  const mayStart = (lane: Lane) =>
    !stopping.signal.aborted &&
    lane.underWay < lane.health.concurrency &&
    performance.now() < lane.leaseEndsMs

  function start(lane: Lane): void {
    while (mayStart(lane)) {
      const delivery = lane.waiting.shift()
      if (delivery === undefined) return
      void attempt(lane, delivery)
    }
  }

  async function writeSettled(): Promise<void> {
    const batch = settled
    if (batch.length === 0) return
    settled = []
    let unblocked: ReadonlySet<string>
    try {
      unblocked = await store.settle(batch)
    } catch (error) {
      settled = [...batch, ...settled]
      throw error
    }
    for (const { delivery } of batch) {
      const lane = lanes.find(delivery.lane_id)
      if (lane === undefined) continue
      lanes.letGo(lane, delivery.delivery_id)
      lane.look ||= unblocked.has(lane.id)
    }
  }

  /** Makes the deliveries of new events, and takes in hand at once what it can of them. */
  async function takeEvents(): Promise<void> {
    if (!eventsWait || stopping.signal.aborted) return
    eventsWait = false
    const { more, laneIds, due } = await options.fanOut()
    eventsWait ||= more
    if ([...laneIds].some((laneId) => lanes.find(laneId) === undefined)) await leases.take()
    for (const delivery of due) {
      const lane = lanes.find(delivery.lane_id)
      if (lane && !lanes.takeNew(lane, delivery)) lane.look = true
    }
    for (const laneId of laneIds) {
      const lane = lanes.find(laneId)
      if (lane) start(lane)
    }
  }

  async function readDue(): Promise<void> {
    const wanted = stopping.signal.aborted ? [] : lanes.wanted()
    if (wanted.length === 0) return
    for (const { lane } of wanted) lane.look = false
    const due = await store.fetch(
      wanted.map(({ lane, room }) => ({ laneId: lane.id, room })),
      wanted.flatMap(({ lane }) => [...lane.inHand]),
    )
    const dueByLane = Map.groupBy(due, (delivery) => delivery.lane_id)
    for (const { lane, room } of wanted) {
      const found = dueByLane.get(lane.id) ?? []
      for (const delivery of found) lanes.take(lane, delivery)
      lane.look ||= found.length >= room
      start(lane)
    }
  }

  const hasEnded = (lane: Lane) => lane.openUntilMs !== null && lane.inHand.size === 0
  const isIdle = (lane: Lane) => lane.inHand.size === 0 && !lane.look

  /** Looks for what this process cannot know of: lanes that are due, other processes' events, leases that were lost. */
  async function look(): Promise<void> {
    if (performance.now() - lastLookMs < POLL_MS) return
    lastLookMs = performance.now()
    eventsWait = true
    await leases.giveBack(isIdle)
    await leases.renew()
    for (const lane of lanes.all()) {
      lane.look = true
      start(lane)
    }
    await leases.take()
  }

  /** Writes what has ended, and gives back the lanes that nothing is under way on, or all. */
  async function handOver(which: 'idle' | 'all'): Promise<void> {
    try {
      await writeSettled()
      await leases.giveBack((lane) => which === 'all' || lane.inHand.size === 0)
      await leases.renew()
    } catch (error) {
      log.warn({ error }, 'Some webhooks may be sent again, as the database is away')
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted)
      try {
        await look()
        await Promise.all([writeSettled(), takeEvents()])
        await readDue()
        await leases.giveBack(hasEnded)
        pulse.beat()
        if (settled.length === 0 && !eventsWait) await sleep(POLL_MS)
      } catch (error) {
        log.warn({ error }, 'The delivery of webhooks waits for the database')
        await delay(RETRY_MS)
      }
  }

  const running = run()
  return {
    name: 'webhooks',
    wake() {
      eventsWait = true
      stir.resolve()
    },
    isWorking: pulse.isBeating,
    async stop({ graceOver, timeOver }) {
      stopping.abort()
      stir.resolve()
      await endOf(running, timeOver)
      for (const lane of lanes.all()) leaveWaiting(lane)
      graceOver.addEventListener('abort', () => stir.resolve())
      const isBusy = () => lanes.all().some((lane) => lane.underWay > 0)
      while (isBusy() && !graceOver.aborted) {
        await endOf(handOver('idle'), timeOver)
        if (!graceOver.aborted) await sleep(RENEW_MS)
      }
      abandoned = true
      await endOf(handOver('all'), timeOver)
    },
  }
}
