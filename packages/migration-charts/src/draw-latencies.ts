import type { MigrationReport } from '@vaani/contracts/migration'
import { type ChartSize, columnLabel, type Drawing, line, rect, rowLabel, WIDTHS } from './drawing.ts'
import { bands, scale, type Scale } from './scales.ts'
import type { ChartWords } from './words.ts'

type Latency = MigrationReport['latencies'][number]

const HEIGHT = 180
/** Four buckets double the latency. */
const BUCKET_GROWTH = 2 ** 0.25
/** Where the axis of time is labelled. */
const TICKS_MS = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 60_000, 600_000, 3_600_000, 36_000_000]

/** Draws how long both versions took for one measure: one above the other, on one axis. */
export function drawLatencies(
  latencies: readonly Latency[],
  words: Pick<ChartWords, 'duration'>,
  size: ChartSize,
): Drawing {
  const width = WIDTHS[size]
  const frame = { left: 36, right: width - 28, top: 8, bottom: HEIGHT - 24 }
  const bars = latencies.flatMap(barsOf)
  const [least, most] = [Math.min(...bars.map(({ from }) => from)), Math.max(...bars.map(({ to }) => to))]
  const x = scale([least, most], [frame.left, frame.right], Math.log10)
  const rows = bands(latencies.length, [frame.top, frame.bottom], 0.15)
  const tallest = Math.max(...bars.map(({ share }) => share))
  const panels = latencies.flatMap((latency, index) => {
    const [top, bottom] = [rows.middle(index) - rows.height / 2, rows.middle(index) + rows.height / 2]
    return [
      rowLabel(latency.version, frame, rows.middle(index)),
      ...barsOf(latency).map(({ from, to, share }) => {
        const height = ((bottom - top) * share) / tallest
        return rect({
          x: x(from) + 0.5,
          y: bottom - height,
          width: Math.max(x(to) - x(from) - 1, 0.5),
          height,
          fill: `var(--${latency.version})`,
        })
      }),
      ...marksOf(latency, x, { y1: top, y2: bottom }),
    ]
  })
  const grid = TICKS_MS.filter((tick) => tick >= least && tick <= most).flatMap((tick) =>
    columnLabel(words.duration(tick), frame, x(tick)),
  )
  return { width, height: HEIGHT, shapes: [...grid, ...panels] }
}

/** Median and 99th percentile. */
function marksOf({ p50_ms, p99_ms }: Latency, x: Scale, rows: { y1: number; y2: number }) {
  if (p50_ms === null || p99_ms === null) return []
  return [
    line({ x1: x(p50_ms), x2: x(p50_ms), ...rows, strokeWidth: 2 }),
    line({ x1: x(p99_ms), x2: x(p99_ms), ...rows, strokeWidth: 2, strokeDasharray: '4,3' }),
  ]
}

/** Buckets without values are not listed, so a bucket may begin above the end of the one before it. */
const barsOf = ({ count, buckets }: Latency) =>
  buckets.map(({ up_to_ms, count: inBucket }, index) => ({
    from: Math.max(buckets[index - 1]?.up_to_ms ?? 0, up_to_ms / BUCKET_GROWTH),
    to: up_to_ms,
    share: inBucket / count,
  }))
