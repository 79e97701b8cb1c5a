import { axisX, axisY, barX, gridX, text } from '@observablehq/plot'
import { type MigrationReport, STAGE_PLANS, STAGES } from '@vaani/contracts/migration'
import type { Markup } from '../html.ts'
import { STAGE_WORDS } from '../words.ts'
import { drawChart } from './draw-chart.ts'
import { timeTick } from './time-tick.ts'
import { listStagePeriods } from './stage-periods.ts'

/** Draws which stage was in effect when. */
export function stagesChart(report: MigrationReport): Markup {
  const periods = listStagePeriods(report).map(({ stage, from, to }) => ({
    row: STAGE_WORDS[stage],
    from,
    to,
    colour: `var(--${STAGE_PLANS[stage].answers})`,
  }))
  const rollbacks = report.changes
    .filter(({ kind }) => kind === 'rollback')
    .map(({ created_at, from_stage }) => ({ at: new Date(created_at), row: STAGE_WORDS[from_stage] }))
  return drawChart('Stages over time. The history below lists every change.', (size) => ({
    height: 220,
    marginLeft: 104,
    marginRight: 28,
    x: { type: 'utc', label: null },
    y: {
      type: 'band',
      domain: STAGES.map((stage) => STAGE_WORDS[stage]).toReversed(),
      label: null,
      padding: 0.25,
    },
    marks: [
      gridX({ ticks: size === 'wide' ? 8 : 3 }),
      axisX({ ticks: size === 'wide' ? 8 : 3, tickFormat: timeTick, label: null }),
      axisY({ tickSize: 0, label: null }),
      barX(periods, { x1: 'from', x2: 'to', y: 'row', fill: 'colour', insetLeft: -0.5, insetRight: -0.5 }),
      text(rollbacks, { x: 'at', y: 'row', text: () => '↩', fontSize: 16, dx: 9, fill: 'var(--bad)' }),
    ],
  }))
}
