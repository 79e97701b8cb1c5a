import type { MigrationReport } from '@vaani/contracts/migration'
import { stagesChart } from '../charts/stages-chart.ts'
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
    stagesChart(report),
  )
