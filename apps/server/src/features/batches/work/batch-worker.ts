import { BATCH_ENDPOINTS, type BatchEndpoint } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import type { InnerAnswer, InnerRequests } from '@vaani/service-kit/http/inner-requests'
import type { Principal } from '@vaani/service-kit/http/principal'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import { type BackgroundWorker, createPulse } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf } from '@vaani/service-kit/lifecycle/stop-deadline'
import { freeYoung } from '@vaani/service-kit/memory/free-early'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import { openBytes } from '@vaani/service-kit/vault/sealed-bytes'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { LRUCache } from 'lru-cache'
import type { ClaimedRequest } from '../claim-requests.ts'
import type { BatchLogEvent } from '../events.ts'
import type { BatchMetrics } from '../metrics.ts'
import { givesWay, PRESENT_MS } from '../rules/give-way.ts'
import { requestPlace } from '../rules/places.ts'
import { resultLine, unpackRequest } from '../rules/result-line.ts'
import { MAX_ATTEMPTS, retryDelaySeconds } from '../rules/retry.ts'
import { SCOPES } from '../rules/scopes.ts'
import type { BatchStore, EndedRequest } from '../store.ts'
import type { BatchRow } from '../tables.ts'
import { createGroupWriter } from './group-writer.ts'
import type { ResultStore } from './result-store.ts'

/** How late a batch of another process is noticed, or a request that was postponed. */
const POLL_MS = 1000
/** How late another process notices that a batch was canceled, and that a window has closed. */
const LOOK_AROUND_MS = 1000
/** Claims this long ahead at the current pace, so that a claim costs little and another process still finds work. */
const AHEAD_SECONDS = 0.5
/** How often to look whether callers are still being served. */
const LOOK_MS = 3
/** How often the pace is measured. */
const PACE_SECONDS = 0.2
const MAX_CLAIM = 512
const MAX_UNWRITTEN = 256
/** How long ends are collected for one write. */
const GATHER_MS = 15
const MAX_KEYS = 1000
/**
 * Requests after which their garbage is collected. V8 would let more pile up, and stop twice as long. More often, it would take
 * what is under way for long-lived, and collect that more often.
 */
const FREED_AFTER = 128

/** Makes the requests of batches. On stop, those that outlast the grace period are left to another worker. */
export interface BatchWorker extends BackgroundWorker {
  /** Signals a new batch, to claim it now instead of at the next poll. */
  wake(): void
  /** Drops the requests of a batch that has ended, except for those that have started. */
  drop(batchId: string): void
  /** Counts the requests that are being made. */
  running(): number
}

export interface BatchWorkerOptions {
  lease: WorkerLease
  places: Readonly<Record<BatchEndpoint, number>>
  store: BatchStore
  results: ResultStore
  /** Limits an account to what it may do now. @throws ApiError if that is nothing */
  limit: (principal: Principal) => Principal
  /** Resolves when the routes are mounted. */
  inner: Promise<InnerRequests>
  vault: Vault
  events: Events<BatchLogEvent>
  metrics: BatchMetrics
  log: Logger
}

interface HeldRequest extends ClaimedRequest {
  workerId: string
}

/** The requests to one endpoint. */
interface Lane {
  readonly endpoint: BatchEndpoint
  readonly places: number
  /** Claimed, not started. */
  queue: HeldRequest[]
  running: number
  /** Until when nothing is claimed, because the last claim found nothing. */
  dryUntilMs: number
  /** The account served last. */
  after: string
  /** When a request was last started. */
  startedMs: number
  /** Looks again whether callers are being served. */
  look: NodeJS.Timeout | undefined
  /** Requests started since `sinceMs`. */
  started: number
  sinceMs: number
  /** Requests a second, as last measured. */
  pace: number
}

export function startBatchWorker(options: BatchWorkerOptions): BatchWorker {
  const { lease, store, results, vault, events, metrics, log } = options
  const lanes = BATCH_ENDPOINTS.map((endpoint): Lane => ({
    endpoint,
    places: options.places[endpoint],
    queue: [],
    running: 0,
    dryUntilMs: Number.NEGATIVE_INFINITY,
    after: '',
    startedMs: Number.NEGATIVE_INFINITY,
    look: undefined,
    started: 0,
    sinceMs: performance.now(),
    pace: 0,
  }))
  /** Everything claimed whose end is not written. */
  const held = new Set<HeldRequest>()
  const tasks = new Set<Promise<void>>()
  const keys = new LRUCache<string, Buffer>({ max: MAX_KEYS })
  const stopping = new AbortController()
  const cut = new AbortController()
  const pulse = createPulse()
  /** Requests since garbage was last collected. */
  let unfreed = 0
  let stir = Promise.withResolvers<void>()
  let lookedMs = performance.now()
  let isQuiet: InnerRequests['isQuiet'] = () => true
  void options.inner.then((inner) => (isQuiet = inner.isQuiet))

  const ends = createGroupWriter<EndedRequest>(
    async (group) => {
      const ended = await store.end(group)
      for (const { succeeded } of group) metrics.ended.add({ outcome: succeeded ? 'succeeded' : 'failed' })
      recordEnds(ended)
    },
    { max: MAX_UNWRITTEN, gatherMs: GATHER_MS },
  )

  function recordEnds(batches: readonly BatchRow[]): void {
    for (const { batch_id, status } of batches) events.record('batch_ended', { batch_id, outcome: status })
  }

  function keyOf({ batch_id, data_key }: ClaimedRequest): Buffer {
    const known = keys.get(batch_id)
    if (known) return known
    const key = openDataKey(vault, batch_id, data_key)
    keys.set(batch_id, key)
    return key
  }

  async function answerOf(
    request: ClaimedRequest,
    { lane, json }: { lane: Lane; json: Buffer },
  ): Promise<InnerAnswer> {
    const inner = await options.inner
    let principal: Principal
    try {
      principal = options.limit(principalOf(request, lane.endpoint))
    } catch (error) {
      if (error instanceof ApiError) return refused(error, request.batch_id)
      throw error
    }
    return inner.post(principal, { path: lane.endpoint, json, signal: cut.signal })
  }

  async function make(request: HeldRequest, lane: Lane): Promise<EndedRequest | null> {
    const { batch_id, position, workerId, attempts } = request
    const key = keyOf(request)
    const packed = openBytes(request.request, { key, place: requestPlace(batch_id, position) })
    const { customId, body } = unpackRequest(packed)
    const answer = attempts > MAX_ATTEMPTS ? givenUp(batch_id) : await answerOf(request, { lane, json: body })
    if (stopping.signal.aborted && answer.status >= 500) return null
    const delay = retryDelaySeconds(attempts, answer)
    if (delay !== null) {
      metrics.retried.add({})
      await store.postpone(request, workerId, delay)
      return null
    }
    const line = resultLine(customId, answer)
    const result = await results.keep(batch_id, position, { line, key })
    return { batch_id, position, workerId, succeeded: answer.status < 400, result }
  }

  /** Keeps its place until it has an answer, and then writes the end together with others. Never rejects. */
  async function run(request: HeldRequest, lane: Lane): Promise<void> {
    const { batch_id } = request
    let ended: EndedRequest | null = null
    try {
      ended = await make(request, lane)
    } catch (error) {
      if (!cut.signal.aborted) log.warn({ error, batch_id }, 'A request of a batch will be made again')
    } finally {
      lane.running--
      refill(lane)
    }
    // What is no longer held here, and still in the database, is released by the next claim.
    if (ended !== null)
      await ends
        .write(ended)
        .catch((error: unknown) => log.warn({ error, batch_id }, 'Results are waiting for the database'))
    held.delete(request)
    // All lanes, because none starts a request while too many ends are unwritten.
    lanes.forEach(refill)
  }

  function refill(lane: Lane): void {
    while (lane.running < lane.places && ends.size() < MAX_UNWRITTEN && !stopping.signal.aborted) {
      // Without stirring the loop, which would ask the database at every look.
      if (lane.queue.length > 0 && mustWait(lane)) return
      const request = lane.queue.shift()
      if (request === undefined) break
      // Another worker has it, or will.
      if (request.workerId !== lease.current()?.workerId) {
        held.delete(request)
        continue
      }
      freeRegularly()
      lane.running++
      lane.started++
      lane.startedMs = performance.now()
      const task = run(request, lane)
      tasks.add(task)
      void task.finally(() => tasks.delete(task))
    }
    stirIfLow(lane)
  }

  /** Only beside callers: nobody else waits for a collection. */
  function freeRegularly(): void {
    if (isQuiet(PRESENT_MS) || ++unfreed < FREED_AFTER) return
    unfreed = 0
    freeYoung()
  }

  /** Whether to wait because callers are being served. Then looks again soon. */
  function mustWait(lane: Lane): boolean {
    const sinceMs = performance.now() - lane.startedMs
    if (!givesWay(lane.endpoint, { sinceMs, isQuiet })) return false
    lane.look ??= setTimeout(() => {
      lane.look = undefined
      refill(lane)
    }, LOOK_MS)
    return true
  }

  function stirIfLow(lane: Lane): void {
    if (isLow(lane)) stir.resolve()
  }

  /** Whether to claim, which is early enough to go on making requests meanwhile. */
  const isLow = (lane: Lane): boolean =>
    lane.queue.length < Math.max(lane.places, wantedOf(lane) / 2) && performance.now() >= lane.dryUntilMs

  /** How many requests to hold: what is started in a while at the current pace. */
  function wantedOf(lane: Lane): number {
    const nowMs = performance.now()
    const seconds = (nowMs - lane.sinceMs) / 1000
    if (seconds >= PACE_SECONDS)
      Object.assign(lane, { pace: lane.started / seconds, started: 0, sinceMs: nowMs })
    return Math.min(MAX_CLAIM, Math.max(2 * lane.places, Math.ceil(lane.pace * AHEAD_SECONDS)))
  }

  async function claimMore(): Promise<void> {
    const holder = lease.current()
    if (holder === null) return
    const { workerId } = holder
    const low = lanes.filter(isLow)
    const open = new Set(await store.openEndpoints(low.map(({ endpoint }) => endpoint)))
    pulse.beat()
    for (const lane of low) {
      if (stopping.signal.aborted) return
      const { endpoint, after } = lane
      const room = wantedOf(lane) - lane.queue.length
      const claimed = open.has(endpoint)
        ? await store.claim({ workerId, endpoint, making: [...held], room, after })
        : []
      if (claimed.length === 0) lane.dryUntilMs = performance.now() + POLL_MS
      for (const row of claimed) {
        const request = { ...row, workerId }
        held.add(request)
        lane.queue.push(request)
        lane.after = row.account_id
      }
      refill(lane)
    }
  }

  function drop(batchId: string): void {
    for (const lane of lanes)
      lane.queue = lane.queue.filter((request) => {
        if (request.batch_id === batchId) held.delete(request)
        return request.batch_id !== batchId
      })
  }

  async function dropEnded(): Promise<void> {
    if (performance.now() - lookedMs < LOOK_AROUND_MS) return
    lookedMs = performance.now()
    const expired = await store.expire()
    recordEnds(expired)
    const queued = new Set(lanes.flatMap(({ queue }) => queue.map(({ batch_id }) => batch_id)))
    for (const batchId of await store.endedAmong([...queued])) drop(batchId)
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      stir = Promise.withResolvers()
      await dropEnded()
        .then(claimMore)
        .catch((error: unknown) => log.warn({ error }, 'Batches are waiting for the database'))
      const timer = setTimeout(wake, POLL_MS)
      await stir.promise
      clearTimeout(timer)
    }
  }

  function wake(): void {
    for (const lane of lanes) lane.dryUntilMs = Number.NEGATIVE_INFINITY
    stir.resolve()
  }

  const loop = work()
  const endOfTasks = () => Promise.all(tasks)
  return {
    name: 'batches',
    wake,
    drop,
    running: () => lanes.reduce((sum, { running }) => sum + running, 0),
    isWorking: pulse.isBeating,
    async stop({ graceOver, timeOver }) {
      stopping.abort()
      stir.resolve()
      for (const lane of lanes) lane.queue = []
      await endOf(endOfTasks(), graceOver)
      cut.abort()
      await endOf(Promise.all([loop, endOfTasks()]), timeOver)
    },
  }
}

/** Result of a request that this many processes did not survive, or could not finish. */
const givenUp = (batchId: string): InnerAnswer =>
  refused(new ApiError('internal_error', `The request was given up after ${MAX_ATTEMPTS} attempts`), batchId)

const refused = (error: ApiError, batchId: string): InnerAnswer => ({
  status: error.status,
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(error.toBody(batchId))),
  retryAfterSeconds: null,
})

const principalOf = (
  { account_id, livemode, key_id, tier, rate_overrides }: ClaimedRequest,
  endpoint: BatchEndpoint,
): Principal => ({
  accountId: account_id,
  livemode,
  keyId: key_id,
  scopes: new Set([SCOPES[endpoint]]),
  tier,
  operator: false,
  rateOverrides: rate_overrides,
})
