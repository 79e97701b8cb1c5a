import type { MigrationReport } from '@vaani/client'
import { drawMismatches, drawRates, listPeriods } from '@vaani/migration-charts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { Chart, CHART_WORDS } from './chart.tsx'
import { EVIDENCE_COLUMNS } from './evidence-columns.tsx'

/** How often both versions differ: in all evidence with its bounds, and over time. */
export const Rates = ({ of: { rates, hours } }: { of: MigrationReport }) => (
  <section aria-labelledby="rates">
    <h2 id="rates">{t.migration.rates}</h2>
    {rates.every(({ trials }) => trials === 0) ? <p>{t.migration.noPairs}</p> : <Bounds of={rates} />}
    {hours.length > 0 && <OverTime of={hours} />}
  </section>
)

const Bounds = ({ of: rates }: { of: MigrationReport['rates'] }) => (
  <Chart
    label={t.migration.ratesLabel}
    draw={(size) => drawRates(rates, CHART_WORDS, size)}
    legend={[
      [{ key: 'bounds' }, t.migration.betweenBounds],
      ['●', t.migration.observed],
      [{ key: 'dashes' }, t.migration.allowed],
    ]}
  >
    <Table
      label={t.migration.ratesLabel}
      rows={rates}
      idOf={({ severity }) => severity}
      columns={[
        { name: t.migration.atLeast, cell: ({ severity }) => t.migration.severities[severity] },
        ...EVIDENCE_COLUMNS,
      ]}
    />
  </Chart>
)

function OverTime({ of: hours }: { of: MigrationReport['hours'] }) {
  const periods = listPeriods(hours)
  return (
    <>
      <h3>{t.migration.ratesOverTime}</h3>
      <Chart
        label={t.migration.ratesOverTime}
        draw={(size) => drawMismatches(periods, CHART_WORDS, size)}
        legend={[
          [{ key: 'worst' }, t.migration.severities.worst],
          [{ key: 'serious' }, t.migration.severities.serious],
          [{ key: 'mild' }, t.migration.severities.mild],
          [{ key: 'errors' }, t.migration.errorsOfV2],
        ]}
      >
        <Table
          label={t.migration.ratesOverTime}
          rows={periods.toReversed()}
          idOf={({ from }) => from.toISOString()}
          columns={[
            { name: t.migration.from, cell: ({ from }) => <Time at={from.toISOString()} /> },
            { name: t.migration.pairs, isNumber: true, cell: ({ pairs }) => t.formats.number(pairs) },
            ...(['worst', 'serious', 'mild'] as const).map((severity) => ({
              name: t.migration.severities[severity],
              isNumber: true,
              cell: (period: (typeof periods)[number]) => t.formats.number(period[severity]),
            })),
            { name: t.migration.errorsOfV2, isNumber: true, cell: ({ errors }) => t.formats.number(errors) },
          ]}
        />
      </Chart>
    </>
  )
}
