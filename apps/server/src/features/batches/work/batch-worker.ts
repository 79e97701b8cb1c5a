import { BATCH_ENDPOINTS, type BatchEndpoint } from '@vaani/contracts'
import type { InnerRequests } from '@vaani/service-kit/http/inner/inner-requests'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { type ClaimLoop, startClaimLoop } from '@vaani/service-kit/work/claim-loop'
import { createGroupWriter, type GroupWriter } from '@vaani/service-kit/work/group-writer'
import { repeat } from '@vaani/service-kit/lifecycle/repeat'
import type { ClaimedRequest } from '../claim-requests.ts'
import type { BatchLogEvent } from '../events.ts'
import type { BatchMetrics } from '../metrics.ts'
import { givesWay } from '../rules/give-way.ts'
import type { EndedRequest } from '../end-store.ts'
import type { BatchStore } from '../store.ts'
import type { BatchRow } from '../tables.ts'
import { createRequestMaker, type MakeRequest, type RequestMakerOptions } from './make-request.ts'
import { createPace } from './pace.ts'

/** How late a batch of another process is noticed, or a request that was postponed. */
const POLL_MS = 1000
/** How late another process notices that a batch was canceled, and that a window has closed. */
const LOOK_AROUND_MS = 1000
/** Claims this long ahead at the current pace, so that a claim costs little and another process still finds work. */
const AHEAD_SECONDS = 0.5
/** How often to look whether callers are still being served. */
const LOOK_MS = 3
const MAX_CLAIM = 512
const MAX_UNWRITTEN = 256
/** How long ends are collected for one write. */
const GATHER_MS = 15

/** Makes the requests of batches. On stop, those that outlast the grace period are left to another worker. */
export interface BatchWorker extends BackgroundWorker {
  /** Signals a new batch, to claim it now instead of at the next poll. */
  wake(): void
  /** Drops the requests of a batch that has ended, except for those that have started. */
  drop(batchId: string): void
  /** Counts the requests that are being made. */
  running(): number
}

export interface BatchWorkerOptions extends RequestMakerOptions {
  lease: WorkerLease
  places: Readonly<Record<BatchEndpoint, number>>
  store: BatchStore
  events: Events<BatchLogEvent>
  metrics: BatchMetrics
  log: Logger
}

export function startBatchWorker(options: BatchWorkerOptions): BatchWorker {
  const { store, events, metrics, log } = options
  const recordEnds = (batches: readonly BatchRow[]) => {
    for (const { batch_id, status } of batches) events.record('batch_ended', { batch_id, outcome: status })
  }
  const ends = createGroupWriter<EndedRequest>(
    async (group) => {
      const ended = await store.end(group)
      for (const { succeeded } of group) metrics.ended.add({ outcome: succeeded ? 'succeeded' : 'failed' })
      recordEnds(ended)
    },
    { max: MAX_UNWRITTEN, gatherMs: GATHER_MS },
  )
  const make = createRequestMaker(options)
  let isStopping = false
  let isQuiet: InnerRequests['isQuiet'] = () => true
  void options.inner.then((inner) => (isQuiet = inner.isQuiet))
  const lanes = BATCH_ENDPOINTS.map((endpoint) =>
    startLane(endpoint, {
      ...options,
      make,
      ends,
      isStopping: () => isStopping,
      isQuiet: (pauseMs) => isQuiet(pauseMs),
    }),
  )

  function drop(batchId: string): void {
    for (const lane of lanes) lane.drop((request) => request.batch_id === batchId)
  }
  const looking = repeat({
    name: 'batches',
    everyMs: LOOK_AROUND_MS,
    async run() {
      recordEnds(await store.expire())
      const waiting = new Set(lanes.flatMap((lane) => lane.waiting().map(({ batch_id }) => batch_id)))
      for (const batchId of await store.endedAmong([...waiting])) drop(batchId)
    },
    onError: (error) => log.warn({ error }, 'Batches are waiting for the database'),
  })

  return {
    name: 'batches',
    wake() {
      for (const lane of lanes) lane.wake()
    },
    drop,
    running: () => lanes.reduce((sum, lane) => sum + lane.working(), 0),
    isWorking: () => [looking, ...lanes].every((one) => one.isWorking()),
    async stop(deadline) {
      isStopping = true
      const stopped = endOf(looking.stop(), deadline.timeOver)
      await Promise.all([stopped, ...lanes.map((lane) => lane.stop(deadline))])
    },
  }
}

/** Makes the requests to one endpoint. */
function startLane(
  endpoint: BatchEndpoint,
  options: BatchWorkerOptions & {
    make: MakeRequest
    ends: GroupWriter<EndedRequest>
    isStopping: () => boolean
    isQuiet: InnerRequests['isQuiet']
  },
): ClaimLoop<ClaimedRequest> {
  const { lease, store, make, ends, isStopping, isQuiet, log } = options
  const places = options.places[endpoint]
  const pace = createPace(() => performance.now())
  const mustWait = () =>
    ends.size() >= MAX_UNWRITTEN || givesWay(endpoint, { sinceMs: pace.sinceMs(), isQuiet })
  /** The account served last. */
  let after = ''
  return startClaimLoop<ClaimedRequest, EndedRequest | null>({
    name: 'batches',
    lease,
    places,
    pollMs: POLL_MS,
    ahead: () => Math.min(MAX_CLAIM, Math.max(2 * places, Math.ceil(pace.perSecond() * AHEAD_SECONDS))),
    waitMs: () => (mustWait() ? LOOK_MS : 0),
    async claim({ workerId, room, held }) {
      const claimed = await store.claim({ workerId, endpoint, making: held, room, after })
      after = claimed.at(-1)?.account_id ?? after
      return claimed
    },
    async work(request, hold) {
      pace.note()
      try {
        return await make(request, { ...hold, endpoint, isStopping })
      } catch (error) {
        // The next claim releases it.
        if (!hold.cut.aborted)
          log.warn({ error, batch_id: request.batch_id }, 'A request of a batch will be made again')
        return null
      }
    },
    async settle(ended) {
      if (ended !== null) await ends.write(ended)
    },
    onClaimError: (error) => log.warn({ error }, 'Batches are waiting for the database'),
    onWorkError: (error, { batch_id }) =>
      log.warn({ error, batch_id }, 'Results are waiting for the database'),
  })
}
