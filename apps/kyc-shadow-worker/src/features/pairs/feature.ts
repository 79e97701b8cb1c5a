import { defineFeature } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { keepFresh } from '@vaani/service-kit/telemetry/keep-fresh'
import { backlogReader, latenessSeconds } from '@vaani/service-kit/database/read-backlog'
import { samplingKeyOf } from '../../sampling-key.ts'
import type { CallbackSettings } from '../../callback-settings.ts'
import type { ShadowSettings } from '../../settings.ts'
import type { Spool } from '../../spool/spool.ts'
import type { AlertsPort } from '../alerts/port.ts'
import type { EvidencePort } from '../evidence/port.ts'
import type { FlagPort } from '../flag/port.ts'
import { createAwaitedCallbacks } from './deployments/awaited-callbacks.ts'
import { openChecks } from './deployments/open-checks.ts'
import { openDeployments } from './deployments/deployments.ts'
import { PAIR_EVENTS, type PairEvent } from './events.ts'
import { declarePairMetrics, type PairMetrics } from './metrics.ts'
import * as pairs from './migrations/0005-pairs.ts'
import * as sends from './migrations/0007-sends.ts'
import * as indexesOfSends from './migrations/0008-indexes-of-sends.ts'
import * as callbackChecks from './migrations/0010-callback-checks.ts'
import { createPairMachine, ownerOfValues } from './pair-machine.ts'
import { backlog, createPairStore } from './pair-store.ts'
import type { PairsPort } from './port.ts'
import { mountCallbacks } from './routes/callbacks.ts'
import { mountSubmit, submitRoute } from './routes/submit.ts'
import type { PlanLimits } from './rules/plan.ts'
import { type PairSettings, pairSettings } from './settings.ts'
import { sweepSpool } from './sweep-spool.ts'
import { toPair } from './view.ts'
import { createBudget } from './work/budget.ts'
import { createPairClaims } from './work/claims.ts'
import { createEarlyDecisions } from './work/early-decisions.ts'
import { measureSpool, startIntake } from './work/intake.ts'
import { startLooks } from './work/looks.ts'
import { createSender } from './work/send.ts'
import { startSends } from './work/sends.ts'
import { createStartPair } from './work/start-pair.ts'

type Needs = Pick<
  Services,
  | 'clock'
  | 'database'
  | 'held'
  | 'idempotency'
  | 'isWorker'
  | 'lease'
  | 'limiter'
  | 'log'
  | 'makeId'
  | 'vault'
> & {
  spool: Spool
  shadow: ShadowSettings
  callbacks: CallbackSettings
  evidence: EvidencePort
  alerts: AlertsPort
  flag: FlagPort
  settings: PairSettings
  events: Events<PairEvent>
  metrics: PairMetrics
}

const DAY_MS = 86_400_000

/** Pairs: submissions that both versions get, from the spool to their outcome. */
export const pairsFeature = defineFeature({
  name: 'pairs',
  // Under a name of its own, because the rest of that group is served by another feature.
  contract: { submissions: { submit: submitRoute } },
  settings: pairSettings,
  migrations: {
    '0005-pairs': pairs,
    '0007-sends': sends,
    '0008-indexes-of-sends': indexesOfSends,
    '0010-callback-checks': callbackChecks,
  },
  sealed: [{ table: 'pairs', column: 'read_values', id: 'pair_id', ownerOf: ownerOfValues }],
  events: PAIR_EVENTS,
  metrics: declarePairMetrics,
  async start(needs: Needs) {
    const { settings, shadow, callbacks, clock, database, spool, log, metrics, held, isWorker } = needs
    const { pairWindows, pairLimits } = settings
    warnOfGaps(needs)
    const planLimits: PlanLimits = {
      ...pairWindows,
      canReadOfCallers: { primary: shadow.primaryApiKey !== undefined, candidate: true },
    }
    const random = Math.random
    const deployments = held.use(openDeployments({ ...shadow, ...callbacks, ...settings }))
    const machine = createPairMachine({ ...needs, planLimits, limits: pairLimits })
    const store = createPairStore(needs)
    const budget = createBudget({ database, clock, dailyBudget: settings.dailyBudget })
    const early = createEarlyDecisions()
    const awaited = createAwaitedCallbacks(needs)
    const startPair = createStartPair({ ...needs, machine, early, random })
    const intake = isWorker ? startIntake({ ...needs, startPair }) : null
    const claims = createPairClaims(needs)
    const workers = isWorker
      ? [
          startLooks({ ...needs, claims, machine, deployments, random }),
          startSends({
            ...needs,
            ...settings,
            claims,
            concurrency: settings.sendConcurrency,
            send: createSender({ ...needs, ...settings, machine, deployments, budget, random }),
          }),
        ]
      : []
    const readBacklog = backlogReader(database, () => backlog(null))
    const readDue = backlogReader(database, () => backlog(new Date(clock.nowMs())))
    const readSpoolSize = intake ? async () => intake.size() : keepFresh(() => measureSpool(spool))
    metrics.waiting.follow({}, async () => (await readBacklog()).waiting)
    metrics.lateness.follow({}, async () => latenessSeconds(await readDue(), clock.nowMs()))
    metrics.spooled.follow({}, () => intake && intake.size().submissions)
    metrics.spooledBytes.follow({}, () => intake && intake.size().bytes)

    const port: PairsPort = {
      ...openChecks({ ...needs, awaited, clients: deployments.clients }),
      list: async (filter) => (await store.list(filter)).map(toPair),
      async find(pairId) {
        const row = await store.find(pairId)
        return row ? toPair(row) : null
      },
      async acknowledge(pairId, note) {
        const row = await store.acknowledge(pairId, note)
        if (row) return toPair(row)
        return (await store.find(pairId)) ? 'not_open' : null
      },
      describe: async () => ({
        waiting: await store.countWaiting(),
        sent_today: await budget.sentToday(),
        daily_budget: settings.dailyBudget,
        spool: { ...(await readSpoolSize()), max_bytes: settings.spoolMaxBytes },
      }),
    }
    return {
      mounts: [
        mountCallbacks({ ...needs, machine, early, awaited, secrets: callbacks.callbackSecrets, random }),
        mountSubmit({
          ...needs,
          ...settings,
          readSpoolSize,
          samplingKey: settings.samplingKey ?? samplingKeyOf(needs.vault),
        }),
      ],
      port,
      workers: intake ? [intake, ...workers] : workers,
      sweeps: {
        'shadow media': () => sweepSpool({ spool, clock, mediaMs: pairWindows.mediaMs, log }),
        'old pairs': () => store.deleteOld(clock.nowMs() - settings.pairRetentionDays * DAY_MS),
      },
    }
  },
})

/** Says at the start what the settings leave unknown, because the evidence would be poorer without anybody noticing. */
function warnOfGaps({ callbacks, shadow, log }: Pick<Needs, 'callbacks' | 'shadow' | 'log'>): void {
  if (callbacks.callbackBaseUrl === null)
    log.warn(
      'VAANI_SHADOW_CALLBACK_BASE_URL is not set: callbacks of the candidate are not asked for, and nothing confirms that they arrive',
    )
  if (shadow.primaryApiKey === undefined && callbacks.callbackSecrets.primary.length === 0)
    log.warn(
      'Neither VAANI_SHADOW_PRIMARY_API_KEY nor VAANI_SHADOW_PRIMARY_WEBHOOK_SECRET is set: decisions of the primary cannot be learned',
    )
}
