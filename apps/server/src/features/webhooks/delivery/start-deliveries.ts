import type { Clock } from '@vaani/service-kit/clock'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { createPool } from '@vaani/service-kit/database/pools'
import type { DatabaseSockets } from '@vaani/service-kit/database/sockets'
import type { IdMaker } from '@vaani/service-kit/ids'
import { STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Pool, PoolConfig } from 'pg'
import { parseAllowedRanges } from '../destination/address-ranges.ts'
import { createGuardedAgent } from '../destination/guarded-agent.ts'
import type { WebhookEvent } from '../events.ts'
import { followDeliveries, type WebhookMetrics } from '../metrics.ts'
import { CONCURRENCY_MAX } from '../rules/breaker.ts'
import { DEFAULT_RETRY_POLICY } from '../rules/judge-attempt.ts'
import type { SecretStore } from '../secret-store.ts'
import type { WebhookSettings } from '../settings.ts'
import type { WebhookSpans } from '../spans.ts'
import { type DeliveryEngine, startDeliveryEngine } from './delivery-engine.ts'
import { createEndpointHealth } from './send/endpoint-health.ts'
import { createSignals } from './lanes/signals.ts'
import type { LateFields } from './send/late-fields.ts'
import { createOutbox } from './read/outbox.ts'
import { createOutcomeStore } from './settle/outcomes.ts'
import { createPendingStore } from './read/pending.ts'
import { Shards } from './shards/shards.ts'
import { createSigners } from './send/signers.ts'
import { openWorkerSession } from './shards/worker-session.ts'

const CONNECT_TIMEOUT_MS = 5000
const CONNECTIONS = 4
/**
 * Forces index lookups: every statement of the engine reads a few rows per given value. The planner's statistics on these
 * tables are often wrong, because a queue is empty one minute and long the next. A cached plan made for an empty table would
 * scan a long one completely, once per row.
 */
const PLANNER = `
  set enable_seqscan = off; set enable_bitmapscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
  set jit = off; set plan_cache_mode = force_generic_plan`

/** Creates a pool for the engine alone, so that the engine and requests never wait for each other's connections. */
export const createEnginePool = (connection: PoolConfig, log: Logger, sockets?: DatabaseSockets): Pool =>
  createPool(
    {
      ...connection,
      max: CONNECTIONS,
      async onConnect(client) {
        await client.query(PLANNER)
      },
    },
    log,
    sockets,
  )

/** Starts the delivery engine of this process. */
export function startDeliveries(options: {
  settings: WebhookSettings
  connection: PoolConfig
  sockets: DatabaseSockets
  clock: Clock
  makeId: IdMaker
  secrets: SecretStore
  lateFields: LateFields
  events: Events<WebhookEvent>
  metrics: WebhookMetrics
  spans: WebhookSpans
  log: Logger
  held: AsyncDisposableStack
}): DeliveryEngine {
  const { settings, connection, sockets, clock, makeId, secrets, lateFields, events, metrics, log, held } =
    options
  const { webhookScheduleSeconds: scheduleSeconds = DEFAULT_RETRY_POLICY.scheduleSeconds } = settings
  const policy = { ...DEFAULT_RETRY_POLICY, scheduleSeconds }
  const agent = createGuardedAgent({
    allowed: parseAllowedRanges(settings.callbackAllowCidrs),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    // Higher than the limit of a lane, because several accounts may send to one origin.
    connectionsPerOrigin: 4 * CONCURRENCY_MAX,
  })
  held.defer(() => agent.destroy())
  const pool = createEnginePool(connection, log, sockets)
  held.defer(() => pool.end())
  const signals = createSignals()
  const engine = startDeliveryEngine({
    signals,
    outbox: createOutbox({ pool, clock, makeId }),
    pending: createPendingStore({ pool, clock }),
    outcomes: createOutcomeStore({ pool, windowSeconds: policy.windowSeconds }),
    shards: new Shards({ pool, openSession: () => openWorkerSession(connection, sockets) }),
    health: createEndpointHealth({
      database: createDatabase(pool),
      clock,
      makeId,
      onEvents: () => signals.reading.raise(),
    }),
    lateFields,
    signers: createSigners({ secrets, clock }),
    dispatcher: agent,
    policy,
    clock,
    random: Math.random,
    events,
    metrics,
    spans: options.spans,
    log,
  })
  held.defer(() => engine.stop(STOP_NOW))
  // Read the metrics through the engine's pool, so that requests do not wait for connections.
  followDeliveries(metrics, { engine, database: createDatabase(pool), clock })
  return engine
}
