import type { IncomingMessage, RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { STAGE_PLANS } from '@vaani/contracts/migration'
import { systemClock } from '@vaani/service-kit/clock'
import { openListeningServer } from '@vaani/service-kit/http/connection/listening-server'
import { answerInPlaceOfNode } from '@vaani/service-kit/http/refusals/malformed-refusal'
import { createIdMaker, type IdMaker } from '@vaani/service-kit/ids'
import { endOf, STOP_NOW, type StopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Environment } from '@vaani/service-kit/settings/define-settings'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { createMeter } from '@vaani/service-kit/telemetry/meter'
import { openMetrics } from '@vaani/service-kit/telemetry/serve-metrics'
import { hasKillFile } from '../published-flag/kill-file.ts'
import { readPublishedFlag } from '../published-flag/published-flag.ts'
import type { Watcher } from './exchange.ts'
import { createFlagCache, type FlagCache } from './flag-cache.ts'
import { declareGatewayMetrics, type GatewayMetrics } from './metrics.ts'
import { openGateway } from './open-gateway.ts'
import { openStore, type Store } from './open-store.ts'
import { createProbes } from './probes.ts'
import { createMemoryBudget } from './sampling/memory-budget.ts'
import { createSpoolRoom } from './sampling/spool-room.ts'
import { watchSubmission } from './sampling/watch-submission.ts'
import type { GatewayConfig } from './settings.ts'
import { superviseWorker, type WorkerChild, workerEnvironment } from './worker-child.ts'

/** Copies of all submissions under way together. */
const COPIES_MAX_BYTES = 33_554_432
const STORE_RETRY_MS = 5000
/** A start waits so long for the flag, so that a restart after promotion does not begin with the initial stage. */
const FIRST_FLAG_WAIT_MS = 2000

export interface RunningGateway {
  /** E.g. `http://127.0.0.1:8090`. */
  readonly address: string
  readonly metricsAddress: string | null
  /** Of the worker; undefined while none runs. */
  workerPid(): number | undefined
  /** Takes no more requests, lets those under way finish until the deadline, and releases everything. */
  stop(deadline: StopDeadline): Promise<void>
}

/** Starts the gateway, and the worker beside it. It needs no database, and passes requests on even without its store. */
export async function startGateway(options: {
  config: GatewayConfig
  log: Logger
  environment: Environment
  /** Program and arguments of the worker. */
  workerCommand: readonly [program: string, ...parameters: string[]]
}): Promise<RunningGateway> {
  const { config, log, environment } = options
  await using held = new AsyncDisposableStack()
  const meter = createMeter()
  const metrics = declareGatewayMetrics(meter)
  const served = await openMetrics(config, meter.registry)
  held.defer(() => served?.[Symbol.asyncDispose]())
  const makeId = createIdMaker(systemClock)
  const stopping = new AbortController()
  held.defer(() => stopping.abort())

  const shadow = startShadow({ config, log, metrics, makeId, stopping: stopping.signal })
  held.defer(() => shadow.close(STOP_NOW))
  const gateway = openGateway({
    primary: config.primaryUrl,
    candidate: config.candidateUrl,
    maxConnections: config.maxConnections,
    idleTimeoutMs: config.idleTimeoutMs,
    answers: () => STAGE_PLANS[shadow.flags.current().stage].answers,
    watch: shadow.watch,
    onEnd: metrics.ended,
  })
  held.defer(() => gateway.close())
  let worker: WorkerChild | null = null
  metrics.follow({
    spool: shadow.usage,
    flagAgeMs: shadow.flags.ageMs,
    isWorkerRunning: () => (config.worker === null ? null : (worker?.isRunning() ?? false)),
  })
  const describeWorker = (): string => {
    if (worker === null) return 'none'
    return worker.isRunning() ? 'running' : 'restarting'
  }
  const probes = createProbes({
    makeId,
    isStopping: () => stopping.signal.aborted,
    checks: () => ({ ...shadow.describe(), worker: describeWorker() }),
  })
  await endOf(shadow.firstFlag, AbortSignal.timeout(FIRST_FLAG_WAIT_MS))
  const handler: RequestListener = (request, response) => {
    if (!probes.answer(request, response)) gateway.handler(request, response)
  }
  const listening = await openListeningServer({
    host: config.host,
    port: config.port,
    whileStarting: handler,
  })
  listening.open(handler, gateway.socketPaths)
  answerInPlaceOfNode(listening.server, makeId)
  if (config.worker !== null)
    worker = superviseWorker({
      command: options.workerCommand,
      environment: workerEnvironment(environment, config.worker),
      log,
    })
  held.move()
  const address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listening.port}`
  if (served) log.info({ address: served.address }, 'Serving metrics')
  log.info({ address, event: 'started' }, 'Started')
  return {
    address,
    metricsAddress: served?.address ?? null,
    workerPid: () => worker?.pid(),
    async stop(deadline) {
      stopping.abort()
      await Promise.all([listening.stop(deadline), worker?.stop(deadline)])
      await gateway.close()
      await shadow.close(deadline)
      await served?.[Symbol.asyncDispose]()
      log.info({ event: 'stopped' }, 'Stopped')
    },
  }
}

/** Opens the store, again and again until it can be opened. */
function openWhenPossible(config: GatewayConfig, log: Logger, stopping: AbortSignal) {
  const opened = Promise.withResolvers<Store>()
  let store: Store | null = null

  async function open(): Promise<void> {
    while (!stopping.aborted)
      try {
        store = await openStore(config)
        return opened.resolve(store)
      } catch (error) {
        log.error(
          { error },
          'The data directory or the blob store cannot be opened; nothing is shadowed until it can',
        )
        await delay(STORE_RETRY_MS, undefined, { signal: stopping }).catch(() => undefined)
      }
  }

  return { store: opened.promise, current: () => store, opening: open() }
}

/** The side of the gateway that copies. Whatever fails here, callers are answered as before. */
function startShadow(options: {
  config: GatewayConfig
  log: Logger
  metrics: GatewayMetrics
  makeId: IdMaker
  stopping: AbortSignal
}) {
  const { config, log, metrics, makeId, stopping } = options
  const underWay = new Set<Promise<void>>()
  const opened = openWhenPossible(config, log, stopping)
  const stored = (): Store | null => opened.current()
  const flags: FlagCache = createFlagCache({
    read: async () => readPublishedFlag((await opened.store).blobs),
    hasKillFile: () => hasKillFile(config.dataDirectory),
    initialStage: config.initialStage,
    isKilled: config.isKilled,
  })
  const room = createSpoolRoom({
    spool: () => stored()?.spool ?? null,
    maxBytes: config.spoolMaxBytes,
    maxSubmissions: config.spoolMaxSubmissions,
  })
  const memory = createMemoryBudget(COPIES_MAX_BYTES)
  const firstFlag = flags.refresh().then(() => flags.start())
  void opened.store.then(() => room.start())

  return {
    flags,
    firstFlag,
    usage: room.usage,
    watch({ headers }: IncomingMessage): Watcher | null {
      const length = headers['content-length']
      const store = stored()
      return store === null
        ? null
        : watchSubmission(
            {
              spool: () => stored()?.spool ?? null,
              room,
              memory,
              key: store.samplingKey,
              noiseShare: config.noiseShare,
              flag: flags.current,
              makeId,
              clock: systemClock,
              metrics,
              track(work) {
                underWay.add(work)
                void work.finally(() => underWay.delete(work))
              },
            },
            {
              contentType: headers['content-type'] ?? '',
              contentLength: length === undefined ? null : Number(length),
            },
          )
    },
    describe(): Record<string, string> {
      const { stage, isKilled } = flags.current()
      return {
        stage,
        kill_switch: isKilled ? 'engaged' : 'released',
        flag: flags.ageMs() === null ? 'initial' : 'published',
        spool: room.usage() === null ? 'unknown' : 'ok',
      }
    },
    async close({ timeOver }: StopDeadline): Promise<void> {
      flags.stop()
      room.stop()
      await endOf(Promise.all(underWay), timeOver)
      await endOf(opened.opening, timeOver)
      await stored()?.blobs.close()
    },
  }
}
