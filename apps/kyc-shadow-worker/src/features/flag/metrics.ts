import { ADVICE, CONDITION_NAMES, KILL_SOURCES, STAGES } from '@vaani/contracts/migration'
import { keepFresh } from '@vaani/service-kit/telemetry/keep-fresh'
import type { Meter } from '@vaani/service-kit/telemetry/meter'
import type { FlagPort } from './port.ts'

const conditions = { condition: CONDITION_NAMES }

export const declareFlagMetrics = (meter: Meter) => ({
  stage: meter.gauge({
    name: 'vaani_shadow_stage',
    help: '1 for the stage of now, 0 for the others',
    labels: { stage: STAGES },
  }),
  killSwitch: meter.gauge({
    name: 'vaani_shadow_kill_switch',
    help: '1 for what stops all shadow traffic, 0 for the others',
    labels: { source: KILL_SOURCES },
  }),
  advice: meter.gauge({
    name: 'vaani_shadow_advice',
    help: '1 for the advice of now, 0 for the others',
    labels: { advice: ADVICE },
  }),
  missingPairs: meter.gauge({
    name: 'vaani_shadow_missing_pairs',
    help: 'Pairs that are missing to promote if all goes on as observed; absent if no number will be enough',
  }),
  events: meter.gauge({
    name: 'vaani_shadow_condition_events',
    help: 'Pairs of this evidence in which it happened',
    labels: conditions,
  }),
  trials: meter.gauge({
    name: 'vaani_shadow_condition_trials',
    help: 'Pairs of this evidence in which it could have happened',
    labels: conditions,
  }),
  lower: meter.gauge({
    name: 'vaani_shadow_condition_lower_ratio',
    help: 'Lower bound of the rate, valid at any time',
    labels: conditions,
  }),
  upper: meter.gauge({
    name: 'vaani_shadow_condition_upper_ratio',
    help: 'Upper bound of the rate, valid at any time',
    labels: conditions,
  }),
  allowed: meter.gauge({
    name: 'vaani_shadow_condition_allowed_ratio',
    help: 'Highest rate that is allowed',
    labels: conditions,
  }),
})
export type FlagMetrics = ReturnType<typeof declareFlagMetrics>

export function followFlag(metrics: FlagMetrics, flag: Pick<FlagPort, 'current' | 'verdict'>): void {
  const readVerdict = keepFresh(() => flag.verdict())
  const oneIf = (isSo: boolean): number => (isSo ? 1 : 0)
  for (const stage of STAGES) metrics.stage.follow({ stage }, () => oneIf(flag.current().stage === stage))
  for (const source of KILL_SOURCES)
    metrics.killSwitch.follow({ source }, () => oneIf(flag.current().killSource === source))
  for (const advice of ADVICE)
    metrics.advice.follow({ advice }, async () => oneIf((await readVerdict()).advice === advice))
  metrics.missingPairs.follow({}, async () => (await readVerdict()).missing_pairs)
  for (const measure of ['events', 'trials', 'lower', 'upper', 'allowed'] as const)
    for (const condition of CONDITION_NAMES)
      metrics[measure].follow({ condition }, async () => {
        const found = (await readVerdict()).conditions.find(({ name }) => name === condition)
        return found?.[measure] ?? null
      })
}
