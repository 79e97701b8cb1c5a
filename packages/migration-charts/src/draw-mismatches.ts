import { type ChartSize, type Drawing, line, rect, rowLabel, text, WIDTHS } from './drawing.ts'
import { LAYERS, type Period } from './mismatch-periods.ts'
import { roundTicks, scale, timeTick, timeTicks } from './scales.ts'
import type { ChartWords } from './words.ts'

const HEIGHT = 180
/** A quiet time is drawn as one: its axis does not shrink to nothing. */
const LEAST_TOP = 0.01

/** Draws the shares of mismatches and errors in the pairs of each period. */
export function drawMismatches(
  periods: readonly Period[],
  words: Pick<ChartWords, 'share' | 'day'>,
  size: ChartSize,
): Drawing {
  const width = WIDTHS[size]
  const frame = { left: 52, right: width - 28, top: 10, bottom: HEIGHT - 24 }
  const layers = periods.flatMap(layersOf)
  const [start, end] = [periods[0]?.from ?? new Date(0), periods.at(-1)?.to ?? new Date(0)]
  const x = scale([start.getTime(), end.getTime()], [frame.left, frame.right])
  const shares = roundTicks(Math.max(LEAST_TOP, ...layers.map(({ top }) => top)), 4)
  const y = scale([0, shares.at(-1) ?? 1], [frame.bottom, frame.top])
  const grid = shares.flatMap((share) => [
    line({
      x1: frame.left,
      x2: frame.right,
      y1: y(share),
      y2: y(share),
      stroke: share === 0 ? 'currentColor' : 'var(--line)',
    }),
    rowLabel(words.share(share), frame, y(share)),
  ])
  const times = timeTicks(start, end, size === 'wide' ? 8 : 3).map((tick) =>
    text(timeTick(tick, words.day), { x: x(tick.getTime()), y: frame.bottom + 12, textAnchor: 'middle' }),
  )
  const bars = layers
    .filter(({ base, top }) => top > base)
    .map(({ period, layer, base, top }) => {
      const [from, to] = [x(period.from.getTime()), x(period.to.getTime())]
      const gap = Math.min(0.5, (to - from) / 4)
      return rect({
        x: from + gap,
        y: y(top),
        width: to - from - 2 * gap,
        height: y(base) - y(top),
        fill: `var(--${layer})`,
      })
    })
  return { width, height: HEIGHT, shapes: [...grid, ...times, ...bars] }
}

/** The layers of a period, one above the other. */
function layersOf(period: Period) {
  let top = 0
  return LAYERS.map((layer) => {
    const base = top
    top += period[layer] / Math.max(period.pairs, 1)
    return { period, layer, base, top }
  })
}
