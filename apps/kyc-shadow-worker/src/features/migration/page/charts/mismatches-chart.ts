import { axisX, axisY, gridY, rectY, ruleY } from '@observablehq/plot'
import type { Markup } from '../html.ts'
import { shareText } from '../words.ts'
import { drawChart } from './draw-chart.ts'
import { timeTick } from './time-tick.ts'
import { LAYERS, type Period } from './mismatch-periods.ts'

/** Draws the shares of mismatches and errors in the pairs of each period. */
export function mismatchesChart(periods: readonly Period[]): Markup {
  const layers = periods.flatMap((period) => {
    let top = 0
    return LAYERS.map((layer) => {
      const base = top
      top += period[layer] / Math.max(period.pairs, 1)
      return { from: period.from, to: period.to, base, top, colour: `var(--${layer})` }
    })
  })
  return drawChart('Share of mismatches and errors over time. The table has the numbers.', (size) => ({
    height: 180,
    marginLeft: 48,
    marginRight: 28,
    x: { type: 'utc', label: null },
    // A quiet time is drawn as one: its axis does not shrink to nothing.
    y: { domain: [0, Math.max(0.01, ...layers.map(({ top }) => top))], nice: true, label: null },
    marks: [
      gridY({ ticks: 4 }),
      axisX({ ticks: size === 'wide' ? 8 : 3, tickFormat: timeTick, label: null }),
      axisY({ ticks: 4, tickSize: 0, tickFormat: shareText, label: null }),
      rectY(layers, {
        x1: 'from',
        x2: 'to',
        y1: 'base',
        y2: 'top',
        fill: 'colour',
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      ruleY([0]),
    ],
  }))
}
