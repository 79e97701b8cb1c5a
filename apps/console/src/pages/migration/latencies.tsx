import type { MigrationReport } from '@vaani/client'
import { drawLatencies } from '@vaani/migration-charts'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { Chart, CHART_WORDS } from './chart.tsx'

type Latency = MigrationReport['latencies'][number]
const MEASURES: readonly Latency['measure'][] = ['answer', 'decision']

/** How long both versions took. */
export const Latencies = ({ of: latencies }: { of: readonly Latency[] }) => {
  const measured = latencies.filter(({ count }) => count > 0)
  return (
    <section aria-labelledby="latencies">
      <h2 id="latencies">{t.migration.latencies}</h2>
      {measured.length === 0 && <p>{t.migration.noLatencies}</p>}
      {MEASURES.map((measure) => (
        <Measure
          key={measure}
          name={measure}
          of={measured.filter((latency) => latency.measure === measure)}
        />
      ))}
    </section>
  )
}

const Measure = ({ name, of: latencies }: { name: Latency['measure']; of: readonly Latency[] }) =>
  latencies.length > 0 && (
    <>
      <h3>{t.migration.measures[name]}</h3>
      <Chart
        label={t.migration.measures[name]}
        draw={(size) => drawLatencies(latencies, CHART_WORDS, size)}
        legend={[
          [{ key: 'line' }, t.migration.median],
          [{ key: 'dashes' }, t.migration.percentile99],
        ]}
      >
        <Table
          label={t.migration.measures[name]}
          rows={latencies}
          idOf={({ version }) => version}
          columns={[
            { name: t.migration.version, cell: ({ version }) => version },
            { name: t.migration.median, isNumber: true, cell: ({ p50_ms }) => t.formats.duration(p50_ms) },
            {
              name: t.migration.percentile90,
              isNumber: true,
              cell: ({ p90_ms }) => t.formats.duration(p90_ms),
            },
            {
              name: t.migration.percentile99,
              isNumber: true,
              cell: ({ p99_ms }) => t.formats.duration(p99_ms),
            },
            { name: t.migration.values, isNumber: true, cell: ({ count }) => t.formats.number(count) },
          ]}
        />
      </Chart>
    </>
  )
