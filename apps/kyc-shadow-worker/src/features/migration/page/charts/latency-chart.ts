import { axisFy, axisX, gridX, rectY, ruleX } from '@observablehq/plot'
import type { MigrationReport } from '@vaani/contracts/migration'
import type { Markup } from '../html.ts'
import { durationText, MEASURE_WORDS } from '../words.ts'
import { drawChart } from './draw-chart.ts'

type Latency = MigrationReport['latencies'][number]

/** Four buckets double the latency. */
const BUCKET_GROWTH = 2 ** 0.25
/** Where the axis of time is labelled. */
const TICKS_MS = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 60_000, 600_000, 3_600_000, 36_000_000]

/** Draws how long both versions took for one measure: one above the other, on one axis. */
export function latencyChart(latencies: readonly Latency[]): Markup {
  const bars = latencies.flatMap(barsOf)
  const marks = latencies.flatMap(({ version, p50_ms, p99_ms }) =>
    p50_ms === null || p99_ms === null ? [] : [{ version, p50_ms, p99_ms }],
  )
  const [least, most] = [Math.min(...bars.map(({ from }) => from)), Math.max(...bars.map(({ to }) => to))]
  const ticks = TICKS_MS.filter((tick) => tick >= least && tick <= most)
  const measure = latencies[0] === undefined ? '' : MEASURE_WORDS[latencies[0].measure]
  return drawChart(`${measure}: distribution for v1 and v2. The table has the percentiles.`, () => ({
    height: 180,
    marginLeft: 36,
    marginRight: 24,
    x: { type: 'log', label: null, domain: [least, most] },
    y: { axis: null },
    fy: { label: null, padding: 0.15 },
    marks: [
      gridX(ticks),
      axisX(ticks, { tickFormat: durationText, label: null }),
      axisFy({ anchor: 'left', label: null }),
      rectY(bars, { x1: 'from', x2: 'to', y1: 0, y2: 'share', fy: 'version', fill: 'colour', inset: 0.5 }),
      ruleX(marks, { x: 'p50_ms', fy: 'version', stroke: 'currentColor', strokeWidth: 2 }),
      ruleX(marks, {
        x: 'p99_ms',
        fy: 'version',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeDasharray: '4,3',
      }),
    ],
  }))
}

/** Buckets without values are not listed, so a bucket may begin above the end of the one before it. */
function barsOf({ version, count, buckets }: Latency) {
  return buckets.map(({ up_to_ms, count: inBucket }, index) => ({
    version,
    from: Math.max(buckets[index - 1]?.up_to_ms ?? 0, up_to_ms / BUCKET_GROWTH),
    to: up_to_ms,
    share: inBucket / count,
    colour: `var(--${version})`,
  }))
}
