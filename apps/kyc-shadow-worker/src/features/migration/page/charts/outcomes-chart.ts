import { axisY, barX, text } from '@observablehq/plot'
import { type MigrationReport, PAIR_OUTCOMES } from '@vaani/contracts/migration'
import type { Markup } from '../html.ts'
import { countText, OUTCOME_WORDS } from '../words.ts'
import { drawChart } from './draw-chart.ts'

/** Draws how many pairs had which outcome, the best at the top. */
export function outcomesChart(outcomes: MigrationReport['outcomes']): Markup {
  const rows = outcomes.map(({ outcome, pairs }) => ({
    row: OUTCOME_WORDS[outcome],
    pairs,
    colour: outcome === 'agreed' ? 'var(--v2)' : outcome === 'waiting' ? 'var(--errors)' : 'var(--serious)',
  }))
  const order = PAIR_OUTCOMES.toReversed().map((outcome) => OUTCOME_WORDS[outcome])
  const domain = order.filter((word) => rows.some(({ row }) => row === word))
  const label = `Outcomes of pairs: ${rows.map(({ row, pairs }) => `${row} ${countText(pairs)}`).join(', ')}.`
  return drawChart(label, () => ({
    height: 30 + 26 * domain.length,
    marginLeft: 124,
    marginRight: 56,
    // A few failures among many agreements would be invisible on a linear scale.
    x: { type: 'symlog', axis: null, domain: [0, Math.max(1, ...rows.map(({ pairs }) => pairs))] },
    y: { type: 'band', domain, label: null, padding: 0.25 },
    marks: [
      axisY({ tickSize: 0, label: null }),
      barX(rows, { x1: 0, x2: 'pairs', y: 'row', fill: 'colour' }),
      text(rows, { x: 'pairs', y: 'row', text: ({ pairs }) => countText(pairs), textAnchor: 'start', dx: 5 }),
    ],
  }))
}
