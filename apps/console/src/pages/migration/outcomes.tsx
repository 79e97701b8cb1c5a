import type { MigrationReport } from '@vaani/client'
import { drawOutcomes } from '@vaani/migration-charts'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { Chart, CHART_WORDS } from './chart.tsx'

/** What became of the pairs. */
export const Outcomes = ({ of: outcomes }: { of: MigrationReport['outcomes'] }) => {
  const occurred = outcomes.filter(({ pairs }) => pairs > 0)
  return (
    <section aria-labelledby="outcomes">
      <h2 id="outcomes">{t.migration.outcomesOfPairs}</h2>
      {occurred.length === 0 ? (
        <p>{t.migration.noPairs}</p>
      ) : (
        <Chart label={t.migration.outcomesOfPairs} draw={(size) => drawOutcomes(occurred, CHART_WORDS, size)}>
          <Table
            label={t.migration.outcomesOfPairs}
            rows={occurred.toReversed()}
            idOf={({ outcome }) => outcome}
            columns={[
              { name: t.migration.outcome, cell: ({ outcome }) => t.migration.outcomes[outcome] },
              { name: t.migration.pairs, isNumber: true, cell: ({ pairs }) => t.formats.number(pairs) },
            ]}
          />
        </Chart>
      )}
    </section>
  )
}
