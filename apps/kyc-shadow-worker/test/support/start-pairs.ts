import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createIdMaker } from '@vaani/service-kit/ids'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { migrate } from '@vaani/service-kit/database/migrate'
import { createMigrationPool } from '@vaani/service-kit/database/pools'
import { defineFeature } from '@vaani/service-kit/service/define-feature'
import { listFeatures } from '@vaani/service-kit/service/list-features'
import type { Services } from '@vaani/service-kit/service/services'
import { startService } from '@vaani/service-kit/service/start-service'
import { joinSettings } from '@vaani/service-kit/settings/define-settings'
import { type ServiceSettings, serviceSettings } from '@vaani/service-kit/service/service-settings'
import { loggerOptions } from '@vaani/service-kit/telemetry/log'
import { createTestDatabase } from '@vaani/test-services'
import { pino } from 'pino'
import type { Alert, AlertsPort } from '../../src/features/alerts/port.ts'
import type { EndedPair, EvidencePort } from '../../src/features/evidence/port.ts'
import type { WorkerServices } from '../../src/features.ts'
import type { Flag, FlagPort } from '../../src/features/flag/port.ts'
import { pairsFeature } from '../../src/features/pairs/feature.ts'
import { systemFeature } from '../../src/features/system/feature.ts'
import { type CallbackSettings, callbackSettings } from '../../src/callback-settings.ts'
import { type ShadowSettings, shadowSettings } from '../../src/settings.ts'
import { openSpool } from '../../src/spool/spool.ts'
import { createAuthenticator } from '../../src/worker/authenticator.ts'

export const ADMIN_KEY = 'sk_live_administration_of_tests'

/** What the features before pairs got to count and to raise. */
export interface Counted {
  readonly evidence: EndedPair[]
  readonly alerts: Alert[]
  readonly flag: { stage: Flag['stage']; isKilled: boolean }
}

const notUsed = () => {
  throw new Error('Pairs do not use this')
}

function standIns({ evidence, alerts, flag }: Counted) {
  const evidencePort: EvidencePort = {
    count: async (_, pair) => void evidence.push(pair),
    judge: notUsed,
    report: notUsed,
    countEnded: notUsed,
  }
  const alertsPort: AlertsPort = { raise: async (_, alert) => void alerts.push(alert) }
  const flagPort: FlagPort = {
    current: () => ({
      ...flag,
      killSource: flag.isKilled ? 'api' : null,
      epoch: 1,
      evidenceSinceMs: 0,
      revision: 1,
      changedAtMs: 0,
      changedBy: 'test',
      source: 'table',
    }),
    change: notUsed,
    listChanges: notUsed,
    verdict: notUsed,
  }
  const standIn = <const Name extends string, Port>(name: Name, port: Port) =>
    defineFeature({ name, contract: {}, start: async (_: object) => ({ mounts: [], port }) })
  return listFeatures<Services & WorkerServices, ServiceSettings & ShadowSettings & CallbackSettings>(
    joinSettings(joinSettings(serviceSettings, shadowSettings), callbackSettings),
  )
    .with(standIn('evidence', evidencePort))
    .with(standIn('alerts', alertsPort))
    .with(standIn('flag', flagPort))
    .with(pairsFeature)
    .with(systemFeature)
}

type Features = ReturnType<typeof standIns>
export type PairsConfig = ReturnType<Features['settings']['read']>

/** A clock that a test moves forward. */
export function createTestClock() {
  let offsetMs = 0
  return { nowMs: () => Date.now() + offsetMs, advance: (ms: number) => void (offsetMs += ms) }
}

const NOTHING: Counted = { evidence: [], alerts: [], flag: { stage: 'shadow-100', isKilled: false } }

/** Migrates the template that test databases are copied from. */
async function migrateUrl(url: string): Promise<void> {
  const database = createDatabase(createMigrationPool({ connectionString: url }))
  await migrate(database, standIns(NOTHING).migrations)
  await database.destroy()
}

const MINIMAL = {
  VAANI_SHADOW_PRIMARY_URL: 'http://127.0.0.1:9',
  VAANI_SHADOW_CANDIDATE_URL: 'http://127.0.0.1:9',
  VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_test_of_the_shadow_at_the_candidate',
}

/** Where several workers of a test meet: a database and a data directory. */
export async function openPlace() {
  await using held = new AsyncDisposableStack()
  const database = held.use(
    await createTestDatabase({ template: { name: 'shadow_pairs', migrate: migrateUrl } }),
  )
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-pairs-'))
  held.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  const resources = held.move()
  return {
    databaseUrl: database.url,
    dataDirectory,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
export type Place = Awaited<ReturnType<typeof openPlace>>

/** Starts the feature with stand-ins for those before it. */
export async function startPairs(options: {
  place: Place
  clock: { nowMs(): number }
  config: Partial<PairsConfig>
}) {
  const { place, clock } = options
  const counted: Counted = { evidence: [], alerts: [], flag: { stage: 'shadow-100', isKilled: false } }
  const features = standIns(counted)
  const config: PairsConfig = {
    ...features.settings.read(MINIMAL),
    databaseUrl: place.databaseUrl,
    dataDirectory: place.dataDirectory,
    port: 0,
    shutdownGraceMs: 0,
    ...options.config,
  }
  const lines: string[] = []
  const log = pino(loggerOptions('debug'), { write: (line) => void lines.push(line) })
  const service = await startService({
    formerKeyAdvice: '',
    settings: config,
    clock,
    log,
    features,
    open: ({ blobs, vault }) => ({
      authenticator: createAuthenticator(ADMIN_KEY),
      spool: openSpool({ blobs, vault }),
      shadow: config,
      callbacks: config,
      dataDirectory: config.dataDirectory,
    }),
  })
  return {
    ...counted,
    service,
    context: service.context,
    pairs: service.context.pairs,
    spool: service.context.spool,
    address: service.address ?? '',
    lines,
    makeId: createIdMaker(clock),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
export type RunningPairs = Awaited<ReturnType<typeof startPairs>>
