import type { MigrationReport } from '@vaani/contracts/migration'
import { type ChartSize, circle, columnLabel, type Drawing, line, rowLabel, WIDTHS } from './drawing.ts'
import { bands, scale } from './scales.ts'
import type { ChartWords } from './words.ts'

const HEIGHT = 150
/** Start of the axis; what is below is drawn there. */
const LEAST = 0.0001
const TICKS = [0.0001, 0.001, 0.01, 0.1, 1]

/** Draws the rate of each severity, between its bounds, and the highest rate that is allowed. */
export function drawRates(
  rates: MigrationReport['rates'],
  words: Pick<ChartWords, 'severities' | 'share'>,
  size: ChartSize,
): Drawing {
  const width = WIDTHS[size]
  const frame = { left: 104, right: width - 28, top: 8, bottom: HEIGHT - 24 }
  const x = scale([LEAST, 1], [frame.left, frame.right], (share) => Math.log10(Math.max(share, LEAST)))
  const worstFirst = rates.toReversed()
  const rows = bands(worstFirst.length, [frame.top, frame.bottom])
  const marks = worstFirst.flatMap(({ severity, events, trials, lower, upper, allowed }, index) => {
    const y = rows.middle(index)
    return [
      rowLabel(words.severities[severity], frame, y),
      line({
        x1: x(lower),
        // What is known exactly is visible as well.
        x2: Math.max(x(upper), x(lower) + 2),
        y1: y,
        y2: y,
        stroke: `var(--${severity})`,
        strokeWidth: 8,
      }),
      ...(trials === 0
        ? []
        : [
            circle({
              cx: x(events / trials),
              cy: y,
              r: 5,
              fill: 'currentColor',
              stroke: 'var(--paper)',
              strokeWidth: 2,
            }),
          ]),
      line({
        x1: x(allowed),
        x2: x(allowed),
        y1: y - rows.height / 2,
        y2: y + rows.height / 2,
        strokeWidth: 2,
        strokeDasharray: '4,3',
      }),
    ]
  })
  const grid = TICKS.flatMap((tick) => columnLabel(words.share(tick), frame, x(tick)))
  return { width, height: HEIGHT, shapes: [...grid, ...marks] }
}
