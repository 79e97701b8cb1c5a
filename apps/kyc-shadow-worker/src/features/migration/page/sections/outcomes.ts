import type { MigrationReport } from '@vaani/contracts/migration'
import { drawOutcomes } from '@vaani/migration-charts'
import { CHART_WORDS, drawChart } from '../draw-chart.ts'
import type { Markup } from '../html.ts'
import { emptyNote, folded, section, table } from '../parts.ts'
import { countText, OUTCOME_WORDS, rateText } from '../words.ts'

/** What became of the pairs, and whether ids and callbacks were confirmed. */
export function outcomesSection({ outcomes, callbacks, ids }: MigrationReport): Markup {
  const occurred = outcomes.filter(({ pairs }) => pairs > 0)
  return section(
    'outcomes',
    'Outcomes',
    occurred.length === 0
      ? emptyNote('There is no pair yet.')
      : drawChart(labelOf(occurred), (size) => drawOutcomes(occurred, CHART_WORDS, size)),
    folded(
      'confirmations',
      'Ids and callbacks',
      table({
        id: 'confirmations-table',
        caption: 'Confirmation of ids and callbacks',
        headings: ['What', 'Confirmed', 'Due', 'Share'],
        rows: [
          ['Ids read back', ids.confirmed, ids.due] as const,
          ['Callbacks that came', callbacks.came, callbacks.due] as const,
        ].map(([name, confirmed, due]) => [
          name,
          countText(confirmed),
          countText(due),
          rateText(confirmed, due),
        ]),
      }),
    ),
  )
}

const labelOf = (outcomes: MigrationReport['outcomes']): string =>
  `Outcomes of pairs: ${outcomes.map(({ outcome, pairs }) => `${OUTCOME_WORDS[outcome]} ${countText(pairs)}`).join(', ')}.`
