import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Events } from '../events.ts'
import type { IdMaker } from '../ids.ts'
import { STOP_NOW } from '../lifecycle/stop-deadline.ts'
import type { Logger } from '../log.ts'
import { CONCURRENCY_MAX } from './breaker.ts'
import { type DeliveryEngine, startDeliveryEngine } from './delivery-engine.ts'
import { parseAllowedRanges } from './destination/address-ranges.ts'
import { createGuardedAgent } from './destination/guarded-agent.ts'
import { fanOut } from './fan-out.ts'
import { DEFAULT_RETRY_POLICY } from './judge-attempt.ts'
import { createLaneStore } from './lane-store.ts'
import type { SecretStore } from './secret-store.ts'
import { createSigners } from './signers.ts'

const CONNECT_TIMEOUT_MS = 5000

/** The delivery engine of this process. */
export function startDeliveries(options: {
  config: Config
  pool: Pool
  clock: Clock
  makeId: IdMaker
  secrets: SecretStore
  events: Events
  log: Logger
  held: AsyncDisposableStack
}): DeliveryEngine {
  const { config, pool, clock, makeId, secrets, events, log, held } = options
  const { webhookScheduleSeconds: scheduleSeconds = DEFAULT_RETRY_POLICY.scheduleSeconds } = config
  const policy = { ...DEFAULT_RETRY_POLICY, scheduleSeconds }
  const agent = createGuardedAgent({
    allowed: parseAllowedRanges(config.callbackAllowCidrs),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    // Lanes are what is bounded: several accounts may send to one origin.
    connectionsPerOrigin: 4 * CONCURRENCY_MAX,
  })
  held.defer(() => agent.destroy())
  const engine = startDeliveryEngine({
    store: createLaneStore({
      pool,
      clock,
      workerId: `worker-${randomUUID()}`,
      windowSeconds: policy.windowSeconds,
    }),
    fanOut: () => fanOut({ pool, clock, makeId }),
    signers: createSigners({ secrets, clock }),
    dispatcher: agent,
    policy,
    clock,
    random: Math.random,
    events,
    log,
  })
  held.defer(() => engine.stop(STOP_NOW))
  return engine
}
