import { LATENCY_MEASURES, type MigrationReport } from '@vaani/contracts/migration'
import { drawLatencies } from '@vaani/migration-charts'
import { CHART_WORDS, drawChart } from '../draw-chart.ts'
import { html, type Markup } from '../html.ts'
import { emptyNote, folded, section, table, legend } from '../parts.ts'
import { countText, durationText, MEASURE_WORDS } from '../words.ts'

/** How long both versions took. */
export function latenciesSection({ latencies }: MigrationReport): Markup {
  const measured = latencies.filter(({ count }) => count > 0)
  if (measured.length === 0) return section('latencies', 'Latency', emptyNote('Nothing was measured yet.'))
  const charts = LATENCY_MEASURES.map((measure) => {
    const ofMeasure = measured.filter((latency) => latency.measure === measure)
    return (
      ofMeasure.length > 0 &&
      html`<h3>${MEASURE_WORDS[measure]}</h3>
        ${drawChart(
          `${MEASURE_WORDS[measure]}: distribution for v1 and v2. The table has the percentiles.`,
          (size) => drawLatencies(ofMeasure, CHART_WORDS, size),
        )}`
    )
  })
  return section(
    'latencies',
    'Latency',
    legend([
      [{ colour: 'v1' }, 'v1'],
      [{ colour: 'v2' }, 'v2'],
      ['│', 'median'],
      ['┊', '99th percentile'],
    ]),
    charts,
    folded(
      'latencies-values',
      'The same as a table',
      table({
        id: 'latencies-table',
        caption: 'Latency of both versions',
        headings: ['Measure', 'Version', 'Median', '90th percentile', '99th percentile', 'Values'],
        rows: latencies.map(({ measure, version, p50_ms, p90_ms, p99_ms, count }) => [
          MEASURE_WORDS[measure],
          version,
          ...[p50_ms, p90_ms, p99_ms].map(durationText),
          countText(count),
        ]),
      }),
    ),
  )
}
