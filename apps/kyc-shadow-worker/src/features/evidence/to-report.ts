import {
  type ConditionName,
  ENDINGS,
  KYC_VERSIONS,
  LATENCY_MEASURES,
  type MigrationVerdict,
  PAIR_OUTCOMES,
  SEVERITIES,
  type Severity,
} from '@vaani/contracts/migration'
import {
  type Bucket,
  boundQuantileOf,
  countAll,
  quantileOf,
  upToMs,
} from '../../rules/evidence/latency-histogram.ts'
import type { EvidencePort } from './port.ts'
import type { CountRow, HourRow } from './store.ts'

const MISMATCHES = {
  worst: 'worst_mismatches',
  serious: 'serious_mismatches',
  mild: 'mild_mismatches',
} as const satisfies Record<Severity, ConditionName>

/** Probability that the bounds of a percentile ever miss it. */
const BOUNDS_ALPHA = 0.05

/** Makes the parts of the report that come from counts. Pairs of v1 and v1 are only in the noise of a condition. */
export function toReport(
  counts: readonly CountRow[],
  verdict: MigrationVerdict,
  hours: readonly HourRow[],
): Awaited<ReturnType<EvidencePort['report']>> {
  const compared = counts.filter(({ kind }) => kind === 'comparison')
  const countOf = (subject: CountRow['subject'], value: string, otherValue = ''): number =>
    compared
      .filter((row) => row.subject === subject && row.value === value && row.other_value === otherValue)
      .reduce((sum, { pairs }) => sum + pairs, 0)
  const conditionOf = (name: ConditionName) => verdict.conditions.find((one) => one.name === name)
  const missing = (name: ConditionName) => {
    const { trials = 0, events = 0 } = conditionOf(name) ?? {}
    return { due: trials, there: trials - events }
  }
  const callbacks = missing('missing_callbacks')
  const ids = missing('unconfirmed_ids')
  return {
    rates: SEVERITIES.flatMap((severity) => {
      const condition = conditionOf(MISMATCHES[severity])
      if (condition === undefined) return []
      const { events, trials, lower, upper, allowed } = condition
      return [{ severity, events, trials, lower, upper, allowed }]
    }),
    confusion: ENDINGS.flatMap((v1) =>
      ENDINGS.map((v2) => ({ v1, v2, pairs: countOf('endings', v1, v2) })),
    ).filter(({ pairs }) => pairs > 0),
    latencies: KYC_VERSIONS.flatMap((version) =>
      LATENCY_MEASURES.map((measure) => {
        const buckets = readBuckets(compared, measure, version)
        const { lower, upper } = boundQuantileOf(buckets, 0.99, BOUNDS_ALPHA)
        return {
          version,
          measure,
          count: countAll(buckets),
          p50_ms: quantileOf(buckets, 0.5),
          p90_ms: quantileOf(buckets, 0.9),
          p99_ms: quantileOf(buckets, 0.99),
          p99_lower_ms: buckets.length === 0 ? null : lower,
          p99_upper_ms: Number.isFinite(upper) ? upper : null,
          buckets: buckets.map(({ upToMs, count }) => ({ up_to_ms: upToMs, count })),
        }
      }),
    ),
    callbacks: { due: callbacks.due, came: callbacks.there },
    ids: { due: ids.due, confirmed: ids.there },
    outcomes: PAIR_OUTCOMES.map((outcome) => ({ outcome, pairs: countOf('outcome', outcome) })).filter(
      ({ pairs }) => pairs > 0,
    ),
    hours: hours.map(({ hour, stage, pairs, mild, serious, worst, errors }) => ({
      at: hour.toISOString(),
      stage,
      pairs,
      mild,
      serious,
      worst,
      errors,
    })),
  }
}

/** Returns the buckets of a latency at all stages, in ascending order. */
function readBuckets(counts: readonly CountRow[], subject: CountRow['subject'], version: string): Bucket[] {
  const byBucket = new Map<number, number>()
  for (const { subject: counted, value, other_value, pairs } of counts) {
    if (counted !== subject || value !== version) continue
    const bucket = Number(other_value)
    byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + pairs)
  }
  return [...byBucket]
    .toSorted(([one], [other]) => one - other)
    .map(([bucket, count]) => ({ upToMs: upToMs(bucket), count }))
}
