import type { Services } from '@vaani/service-kit/service/services'
import { defineFeature } from '@vaani/service-kit/service/define-feature'
import { repeat } from '@vaani/service-kit/lifecycle/repeat'
import { readPublishedFlag } from '../../published-flag/published-flag.ts'
import type { ShadowSettings } from '../../settings.ts'
import type { AlertsPort } from '../alerts/port.ts'
import type { EvidencePort } from '../evidence/port.ts'
import { createFlagChanger } from './change-flag.ts'
import { followSource } from './follow-source.ts'
import { runGate } from './gate.ts'
import { hasKillFile } from '../../published-flag/kill-file.ts'
import { createKnownFlag } from './known-flag.ts'
import { declareFlagMetrics, type FlagMetrics, followFlag } from './metrics.ts'
import * as flag from './migrations/0004-flag.ts'
import { openFeatureSource } from './openfeature-source.ts'
import { createFlagPort } from './flag-port.ts'
import { publisherOf } from './publisher.ts'
import { shareKills } from './shared-kills.ts'
import { type FlagSettings, flagSettings } from './settings.ts'
import { TABLE } from './source.ts'
import { createFlagStore } from './store.ts'
import { cacheVerdicts } from './verdict-cache.ts'

const READ_EVERY_MS = 500
const PUBLISH_EVERY_MS = 1000
const GATE_EVERY_MS = 10_000

type Needs = Pick<Services, 'blobs' | 'clock' | 'database' | 'held' | 'isWorker' | 'log' | 'makeId'> & {
  shadow: ShadowSettings
  dataDirectory: string
  evidence: EvidencePort
  alerts: AlertsPort
  settings: FlagSettings
  metrics: FlagMetrics
}

/** The stage and the kill switch: who changed them, in effect in every process, and rolled back by themselves. */
export const flagFeature = defineFeature({
  name: 'flag',
  contract: {},
  settings: flagSettings,
  migrations: { '0004-flag': flag },
  metrics: declareFlagMetrics,
  async start(needs: Needs) {
    const { blobs, clock, database, dataDirectory, held, log, metrics, shadow } = needs
    const { openFeatureProvider } = needs.settings
    const store = createFlagStore(database)
    const source = held.use(
      openFeatureProvider === undefined ? TABLE : await openFeatureSource(openFeatureProvider, log),
    )
    const published = await readPublishedFlag(blobs).catch(() => null)
    const stored = await store.begin(shadow.initialStage, new Date(clock.nowMs()), published)
    const known = createKnownFlag({
      stored,
      source: source.name,
      isProvided: source !== TABLE,
      isKilledByEnvironment: shadow.isKilled,
    })
    const changer = createFlagChanger({ ...needs, store })
    const kills = held.use(shareKills({ blobs }))
    const publish = publisherOf({ blobs, known, kills })
    const look = async () => known.setFile(await hasKillFile(dataDirectory))
    const followProvider = followSource({ source, stored, known, changer })
    async function follow(): Promise<void> {
      const { revision } = known.current()
      await followProvider()
      if (known.current().revision !== revision) await publish()
    }
    await look()
    if (source !== TABLE) await follow()
    await publish()
    const port = createFlagPort({
      ...needs,
      store,
      known,
      changer,
      publish,
      verdictOf: cacheVerdicts(needs.evidence),
    })
    followFlag(metrics, port)

    const read = async () => known.learn(await store.read())
    async function guard(): Promise<void> {
      const changed = await runGate({ ...needs, store, changer })
      if (changed === null) return
      known.learn(changed)
      await publish()
    }
    // Each on its own, so that a database or a provider that hangs delays neither the kill file nor the publication.
    const again = (name: string, everyMs: number, run: () => Promise<void>) =>
      repeat({
        name,
        everyMs,
        run,
        onError: (error) => log.warn({ error }, `${name} failed, and is tried again`),
      })
    const workers = [
      again('flag', READ_EVERY_MS, read),
      again('kill file', READ_EVERY_MS, look),
      again('publication', PUBLISH_EVERY_MS, publish),
      ...(needs.isWorker ? [again('gate', GATE_EVERY_MS, guard)] : []),
      ...(source === TABLE ? [] : [again('provider', READ_EVERY_MS, follow)]),
    ]
    return { mounts: [], port, workers }
  },
})
