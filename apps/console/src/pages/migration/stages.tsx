import type { MigrationReport } from '@vaani/client'
import { drawStages, listStagePeriods } from '@vaani/migration-charts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { Chart, CHART_WORDS } from './chart.tsx'

/** Which stage was in effect when. */
export const Stages = ({ of: report }: { of: MigrationReport }) => (
  <section aria-labelledby="stages">
    <h2 id="stages">{t.migration.stagesOverTime}</h2>
    <Chart
      label={t.migration.stagesOverTime}
      draw={(size) => drawStages(report, CHART_WORDS, size)}
      legend={[
        [{ key: 'v1' }, t.migration.v1Answers],
        [{ key: 'v2' }, t.migration.v2Answers],
        ['↩', t.migration.changes.rollback],
      ]}
    >
      <Table
        label={t.migration.stagesOverTime}
        rows={listStagePeriods(report).toReversed()}
        idOf={({ from }) => from.toISOString()}
        columns={[
          { name: t.migration.stage, cell: ({ stage }) => t.migration.stages[stage] },
          { name: t.migration.from, cell: ({ from }) => <Time at={from.toISOString()} /> },
          { name: t.migration.until, cell: ({ to }) => <Time at={to.toISOString()} /> },
        ]}
      />
    </Chart>
  </section>
)
