import type { MigrationReport } from '@vaani/contracts/migration'
import { drawStages } from '@vaani/migration-charts'
import { CHART_WORDS, drawChart } from '../draw-chart.ts'
import type { Markup } from '../html.ts'
import { section, legend } from '../parts.ts'

/** Which stage was in effect when. */
export const stagesSection = (report: MigrationReport): Markup =>
  section(
    'stages',
    'Stages over time',
    legend([
      [{ colour: 'v1' }, 'v1 answers'],
      [{ colour: 'v2' }, 'v2 answers'],
      ['↩', 'rolled back'],
    ]),
    drawChart('Stages over time. The history below lists every change.', (size) =>
      drawStages(report, CHART_WORDS, size),
    ),
  )
