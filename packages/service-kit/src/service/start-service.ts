import type { DatabaseSockets } from '../database/sockets.ts'
import { type DocumentedRoute, listRoutes } from '@vaani/contracts/openapi'
import type { FastifyInstance } from 'fastify'
import { type Clock, systemClock } from '../clock.ts'
import { type AddressLimits, createAddressLimits } from '../http/limits/address-limits.ts'
import { createApp } from '../http/app.ts'
import type { Authenticator } from '../http/authenticator.ts'
import { type ListeningServer, openListeningServer } from '../http/connection/listening-server.ts'
import { answerInPlaceOfNode } from '../http/refusals/malformed-refusal.ts'
import { declareRequestMetrics } from '../http/observe/request-metrics.ts'
import { declareRequestSpans } from '../http/observe/request-spans.ts'
import { metadataOfConfig } from '../http/ts-rest.ts'
import { trackSocketPaths } from '../http/connection/upgrades.ts'
import { answerWhileStarting } from '../http/refusals/while-starting.ts'
import { createIdMaker } from '../ids.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import { endOf, startStopDeadline, STOP_NOW, type StopDeadline } from '../lifecycle/stop-deadline.ts'
import type { ServiceSettings } from './service-settings.ts'
import { type CountedEvents, createEvents } from '../telemetry/events.ts'
import type { Logger } from '../telemetry/log.ts'
import { createMeter, type Meter } from '../telemetry/meter.ts'
import { declareResourceMetrics, followResources } from './resource-metrics.ts'
import { openMetrics } from '../telemetry/serve-metrics.ts'
import { NO_TRACES, type Tracer } from '../telemetry/tracer.ts'
import type { Mount } from './define-feature.ts'
import { gatherParts } from './gather-parts.ts'
import type { FeatureList } from './list-features.ts'
import { openServices, type Services } from './services.ts'
import { startSweeper } from './sweeper.ts'

/** The parts of a running service. */
export type ServiceContext<Own, Ports, Value, Event extends string> = Services &
  Own &
  Ports & {
    settings: Value
    events: CountedEvents<Event | 'upload_cut'>
    /** Removes expired data. Also runs automatically every ten minutes. */
    sweep(): Promise<void>
  }

/** A running service. Disposing it stops it with the grace period of its settings. */
export interface RunningService<Context> extends AsyncDisposable {
  context: Context
  /** Address that it listens on, e.g. `http://127.0.0.1:8080`; null without the role `api`. */
  address: string | null
  /** Address of `/metrics`, and of `/healthz` and `/readyz` in every role; null unless a port is set for it. */
  metricsAddress: string | null
  /** Resolves if something is lost that the service cannot continue without. */
  failed: Promise<Error>
  /** Stops the service: takes no new work, lets work in flight finish until the deadline, and releases all resources. */
  stop(deadline: StopDeadline): Promise<void>
}

export interface ServiceOptions<
  Own extends { authenticator: Authenticator },
  Ports,
  Value extends ServiceSettings,
  Event extends string,
> {
  settings: Value
  log: Logger
  clock?: Clock | undefined
  /** Creates the spans; none by default. */
  tracer?: Tracer | undefined
  features: FeatureList<Services & Own, Ports, Value, Event>
  /** Creates what only this service gives to its features. */
  open(services: Services): Own
  /** Schema of all tables, for a service that may share its database with another. */
  databaseSchema?: string | undefined
  /** What an operator does so that a former key of the vault can be removed. */
  formerKeyAdvice: string
  /** How long to wait for a database that is starting too; one minute by default. */
  databaseWaitMs?: number | undefined
  /** Aborts the start. */
  signal?: AbortSignal | undefined
}

/** Longer than a Postgres server that starts together with this service takes. */
const DATABASE_WAIT_MS = 60_000

/** Starts a service in its roles. It listens at once, and reports that it is starting until it is ready. */
export async function startService<
  Own extends { authenticator: Authenticator },
  Ports,
  Value extends ServiceSettings,
  Event extends string,
>(
  options: ServiceOptions<Own, Ports, Value, Event>,
): Promise<RunningService<ServiceContext<Own, Ports, Value, Event>>> {
  const { settings, log, clock = systemClock, tracer = NO_TRACES } = options
  const { host } = settings
  // Before anything runs, whose end would be reported beside what is wrong.
  await options.features.check(settings)
  await using held = new AsyncDisposableStack()
  const makeId = createIdMaker(clock)
  const meter = createMeter()
  // Open first, so that a slow start can be observed.
  let readiness = (): Promise<readonly string[]> => Promise.resolve(['starting'])
  const metrics = await openMetrics(settings, meter.registry, () => readiness())
  held.defer(() => metrics?.[Symbol.asyncDispose]())
  const listening: ListeningServer | null = settings.roles.has('api')
    ? await openListeningServer({ host, port: settings.port, whileStarting: answerWhileStarting(makeId) })
    : null
  held.defer(() => listening?.stop(STOP_NOW))
  if (listening !== null) answerInPlaceOfNode(listening.server, makeId)
  const running = held.use(await startFeatures({ ...options, clock, meter, tracer }))
  const { context, mounts } = running
  const routes = routesOf(options.features)
  const operations = routes.map(({ metadata }) => metadata.operation)
  // Measuring and tracing cost every request a little, so do either only if its results can be read.
  const requestMetrics = metrics === null ? null : declareRequestMetrics(meter, operations)
  const readsParents = settings.traces?.readsParents ?? true
  const requestTraces = tracer.isOn ? { spans: declareRequestSpans(tracer, routes), readsParents } : null
  const app = await createApp(
    { ...context, ...running.edge, requestMetrics, requestTraces },
    listening?.server,
  )
  const socketPaths = trackSocketPaths(app, context.authenticator.pages?.prefix)
  await mountAll(app, mounts, options.features)
  await app.ready()
  listening?.open(app.routing, socketPaths)
  const address = listening === null ? null : `http://${hostForUrl(host)}:${listening.port}`
  if (metrics) log.info({ address: metrics.address }, 'Serving metrics')
  log.info(
    { address: address ?? undefined, roles: [...settings.roles].join(','), event: 'started' },
    'Started',
  )
  readiness = context.readiness
  // Nothing can fail any more. From here on `stop` releases everything.
  held.move()

  async function stop(deadline: StopDeadline): Promise<void> {
    await Promise.all([running.stopWorking(deadline), listening?.stop(deadline)])
    await app.close()
    await running.release(deadline)
    await metrics?.[Symbol.asyncDispose]()
    log.info({ event: 'stopped' }, 'Stopped')
  }
  let stopped: Promise<void> | undefined
  return {
    context,
    address,
    metricsAddress: metrics?.address ?? null,
    failed: running.failed,
    stop: (deadline) => (stopped ??= stop(deadline)),
    async [Symbol.asyncDispose]() {
      using deadline = startStopDeadline(settings.shutdownGraceMs)
      await (stopped ??= stop(deadline))
    },
  }
}

type Served = Pick<FeatureList<never, unknown, object, never>, 'contract' | 'sockets'>

/** Lists all routes, including those that open a WebSocket. */
const routesOf = ({ contract, sockets }: Served): DocumentedRoute[] => [
  ...listRoutes(contract),
  ...sockets.map(({ upgrade }) => upgrade),
]

/** Mounts all routes. Throws if a feature does not mount an operation that it declares. */
async function mountAll(app: FastifyInstance, mounts: readonly Mount[], served: Served): Promise<void> {
  const missing = new Set(routesOf(served).map(({ metadata }) => metadata.operation))
  app.addHook('onRoute', ({ config }) => {
    const metadata = metadataOfConfig(config)
    if (metadata) missing.delete(metadata.operation)
  })
  for (const mount of mounts) await mount(app, served.contract)
  if (missing.size > 0) throw new Error(`No feature mounts ${[...missing].join(', ')}`)
}

/** Opens the services and starts the features. If a step fails, releases everything opened before. */
async function startFeatures<
  Own extends { authenticator: Authenticator },
  Ports,
  Value extends ServiceSettings,
  Event extends string,
>(options: ServiceOptions<Own, Ports, Value, Event> & { clock: Clock; meter: Meter; tracer: Tracer }) {
  const { settings, log, clock, meter, tracer, features, databaseWaitMs = DATABASE_WAIT_MS } = options
  const { signal = new AbortController().signal } = options
  await using held = new AsyncDisposableStack()
  const stopping = new AbortController()
  const released = new AbortController()
  const { mounts, workers, sweeps, onRefusal, counters, gather } = gatherParts()
  const { services, lost } = await openServices({
    settings,
    log,
    clock,
    migrations: features.migrations,
    databaseSchema: options.databaseSchema,
    sealed: features.sealed,
    formerKeyAdvice: options.formerKeyAdvice,
    workers,
    counters,
    held,
    databaseWaitMs,
    signal,
    stopping: stopping.signal,
    released: released.signal,
  })
  const base = { ...services, ...options.open(services) }
  const events = createEvents<Event | 'upload_cut'>(log, meter, [...features.events, 'upload_cut'])
  const ports = await features
    .start(base, {
      settings,
      events,
      meter,
      tracer,
      onStarted: gather,
    })
    .catch(async (error: unknown) => {
      // While they still have what they use, whose end they would report beside what is wrong.
      using deadline = startStopDeadline(0)
      await stopAll(workers, deadline)
      throw error
    })
  const { idempotency, unsealed, blobs, sockets } = services
  const sweeper = startSweeper({
    sweeps: Object.assign(
      {
        'idempotency keys': () => idempotency.sweep(),
        'media in the clear': () => unsealed.sweep(),
        'unfinished blobs': () => blobs.sweep(),
      },
      ...(services.isWorker ? sweeps : []),
    ),
    stopping: stopping.signal,
    clock,
    meter,
    log,
  })
  const hasRedis = settings.redisUrl !== undefined
  followResources(declareResourceMetrics(meter), { ...services, hasRedis })
  signal.throwIfAborted()
  const context = { ...base, ...ports, settings, events, sweep: sweeper.sweep }
  const addressLimits: AddressLimits = createAddressLimits(services)
  const ending = createEnding({ workers, sweeper, stopping, released, sockets, resources: held.move() })
  return {
    context,
    mounts,
    edge: { addressLimits, translate: features.translate, notServed: features.notServed, onRefusal },
    failed: lost,
    ...ending,
  }
}

async function stopAll(workers: readonly BackgroundWorker[], deadline: StopDeadline): Promise<void> {
  await Promise.all(workers.map((worker) => endOf(worker.stop(deadline), deadline.timeOver)))
}

/** How the parts of a service end: first its work, then its resources. */
function createEnding(options: {
  workers: readonly BackgroundWorker[]
  sweeper: { stop(): Promise<void> }
  stopping: AbortController
  released: AbortController
  sockets: DatabaseSockets
  resources: AsyncDisposableStack
}) {
  const { workers, sweeper, stopping, released, sockets, resources } = options
  const cut = () => {
    sockets.cut()
    released.abort()
  }

  /** Takes no new work from this call on, and ends work in flight by the deadline. */
  async function stopWorking(deadline: StopDeadline): Promise<void> {
    stopping.abort()
    await Promise.all([stopAll(workers, deadline), endOf(sweeper.stop(), deadline.timeOver)])
  }

  /** Releases all resources. Cuts the database connections only at the deadline, because a thread that is still starting ends late. */
  async function release({ timeOver }: StopDeadline): Promise<void> {
    timeOver.addEventListener('abort', cut)
    if (timeOver.aborted) cut()
    await resources.disposeAsync()
    timeOver.removeEventListener('abort', cut)
  }

  return {
    stopWorking,
    release,
    async [Symbol.asyncDispose]() {
      using deadline = startStopDeadline(0)
      await stopWorking(deadline)
      await release(deadline)
    },
  }
}

const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
const hostForUrl = (host: string): string => WILDCARDS[host] ?? (host.includes(':') ? `[${host}]` : host)
