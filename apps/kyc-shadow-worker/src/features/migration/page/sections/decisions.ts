import type { MigrationReport } from '@vaani/contracts/migration'
import { type DecisionCell, ENDINGS, layOutDecisions } from '@vaani/migration-charts'
import { html, type Markup } from '../html.ts'
import { emptyNote, folded, section, table, legend } from '../parts.ts'
import { countText, rateText } from '../words.ts'

/** How often which ending of v1 met which of v2. */
export function decisionsSection({ confusion }: MigrationReport): Markup {
  const { total, rows } = layOutDecisions(confusion)
  if (total === 0) return section('decisions', 'Decisions', emptyNote('No pair has ended yet.'))
  return section(
    'decisions',
    'Decisions',
    folded('decisions-values', 'Endings of v1 by those of v2', [
      legend([
        [{ colour: 'agree' }, 'the same ending'],
        [{ colour: 'differ' }, 'different endings'],
      ]),
      table({
        id: 'decisions-table',
        isGrid: true,
        caption: 'Endings of v1 in rows, of v2 in columns',
        headings: ['v1 ↓ v2 →', ...ENDINGS],
        rows: rows.map(({ v1, cells }) => [v1, ...cells.map((cell) => textOf(cell, total))]),
      }),
    ]),
  )
}

const textOf = ({ pairs, isSame, depth }: DecisionCell, total: number): Markup =>
  depth === null
    ? html`<span class="cell">0</span>`
    : html`<span class="cell ${isSame ? 'agree' : 'differ'} depth-${depth}"
        >${countText(pairs)} <small>${rateText(pairs, total)}</small></span
      >`
