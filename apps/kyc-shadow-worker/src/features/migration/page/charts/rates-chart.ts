import { axisX, axisY, dot, gridX, ruleY, tickX } from '@observablehq/plot'
import type { MigrationReport } from '@vaani/contracts/migration'
import type { Markup } from '../html.ts'
import { SEVERITY_WORDS, shareText } from '../words.ts'
import { drawChart } from './draw-chart.ts'

/** Start of the axis; what is below is drawn there. */
const LEAST = 0.0001
const TICKS = [0.0001, 0.001, 0.01, 0.1, 1]

/** Draws the rate of each severity, between its bounds, and the highest rate that is allowed. */
export function ratesChart(rates: MigrationReport['rates']): Markup {
  const rows = rates.map(({ severity, events, trials, lower, upper, allowed }) => ({
    row: SEVERITY_WORDS[severity],
    colour: `var(--${severity})`,
    rate: trials === 0 ? null : Math.max(events / trials, LEAST),
    lower: Math.max(lower, LEAST),
    upper: Math.max(upper, LEAST),
    allowed: Math.max(allowed, LEAST),
  }))
  return drawChart(
    'Rates of mismatches between their bounds, with the rate that is allowed. The table has the numbers.',
    () => ({
      height: 150,
      marginLeft: 60,
      marginRight: 24,
      x: { type: 'log', domain: [LEAST, 1], label: null },
      y: { type: 'band', domain: rows.map(({ row }) => row).toReversed(), label: null },
      marks: [
        gridX(TICKS),
        axisX(TICKS, { tickFormat: shareText, label: null }),
        axisY({ tickSize: 0, label: null }),
        ruleY(rows, { y: 'row', x1: 'lower', x2: 'upper', stroke: 'colour', strokeWidth: 8 }),
        dot(rows, {
          x: 'rate',
          y: 'row',
          r: 5,
          fill: 'currentColor',
          stroke: 'var(--paper)',
          strokeWidth: 2,
        }),
        tickX(rows, {
          x: 'allowed',
          y: 'row',
          stroke: 'currentColor',
          strokeWidth: 2,
          strokeDasharray: '4,3',
        }),
      ],
    }),
  )
}
