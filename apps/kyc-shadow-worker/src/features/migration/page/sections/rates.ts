import type { MigrationErrorDifference, MigrationReport } from '@vaani/contracts/migration'
import { drawMismatches, drawRates, listPeriods } from '@vaani/migration-charts'
import { CHART_WORDS, drawChart } from '../draw-chart.ts'
import { html, type Markup } from '../html.ts'
import { emptyNote, folded, section, table, timeOf, legend } from '../parts.ts'
import { countText, rateText, SEVERITY_WORDS, shareText } from '../words.ts'

/** Rates of mismatches: of all evidence with its bounds, and over time; and which version fails more often. */
export function ratesSection({ rates, hours, migration }: MigrationReport): Markup {
  const { error_difference } = migration.verdict
  const errors = error_difference && errorsLine(error_difference)
  if (rates.every(({ trials }) => trials === 0) && hours.length === 0)
    return section('rates', 'Mismatches', emptyNote('No pair has two decisions yet.'), errors)
  return section(
    'rates',
    'Mismatches',
    legend([
      [{ colour: 'bar' }, 'between the bounds'],
      ['●', 'observed'],
      ['┊', 'allowed'],
    ]),
    drawChart(
      'Rates of mismatches between their bounds, with the rate that is allowed. The table has the numbers.',
      (size) => drawRates(rates, CHART_WORDS, size),
    ),
    folded(
      'rates-values',
      'The same as a table',
      table({
        id: 'rates-table',
        caption: 'Rates of mismatches at least as bad',
        headings: ['At least', 'Observed', 'Bounds', 'Allowed'],
        rows: rates.map(({ severity, events, trials, lower, upper, allowed }) => [
          SEVERITY_WORDS[severity],
          html`${rateText(events, trials)} <small>${countText(events)} of ${countText(trials)}</small>`,
          `${shareText(lower)} to ${shareText(upper)}`,
          shareText(allowed),
        ]),
      }),
    ),
    errors,
    hours.length > 0 && overTime(hours),
  )
}

const errorsLine = (difference: MigrationErrorDifference): Markup =>
  html`<p>
    Errors: v2 alone failed in ${countText(difference.only_v2)} of ${countText(difference.pairs)} pairs, v1
    alone in ${countText(difference.only_v1)}. ${compareErrors(difference)}
  </p>`

function compareErrors({ lower, upper }: MigrationErrorDifference): string {
  if (lower > 0) return `v2 fails more often, by ${shareText(lower)} to ${shareText(upper)} of pairs.`
  if (upper < 0) return `v2 fails less often, by ${shareText(-upper)} to ${shareText(-lower)} of pairs.`
  return (
    'Neither is shown to fail more often: ' +
    `v2 by at most ${shareText(upper)} of pairs, v1 by at most ${shareText(-lower)}.`
  )
}

function overTime(hours: MigrationReport['hours']): Markup {
  const periods = listPeriods(hours)
  return html`<h3>Over time</h3>
    ${legend([
      [{ colour: 'worst' }, 'worst'],
      [{ colour: 'serious' }, 'serious'],
      [{ colour: 'mild' }, 'mild'],
      [{ colour: 'errors' }, 'errors of v2'],
    ])}
    ${drawChart('Share of mismatches and errors over time. The table has the numbers.', (size) =>
      drawMismatches(periods, CHART_WORDS, size),
    )}
    ${folded(
      'periods',
      'The same as a table',
      table({
        id: 'periods-table',
        caption: 'Mismatches and errors over time',
        headings: ['From', 'Pairs', 'Worst', 'Serious', 'Mild', 'Errors of v2'],
        rows: periods.map(({ from, pairs, worst, serious, mild, errors }) => [
          timeOf(from.toISOString()),
          ...[pairs, worst, serious, mild, errors].map(countText),
        ]),
      }),
    )}`
}
