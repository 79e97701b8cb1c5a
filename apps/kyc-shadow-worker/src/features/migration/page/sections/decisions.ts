import { type Ending, ENDINGS, type MigrationReport } from '@vaani/contracts/migration'
import { html, type Markup } from '../html.ts'
import { emptyNote, folded, section, table, legend } from '../parts.ts'
import { countText, rateText } from '../words.ts'

/** How deep a cell is coloured, by its share of all pairs. */
const DEPTHS = [0.5, 0.1, 0.01, 0]

/** How often which ending of v1 met which of v2. */
export function decisionsSection({ confusion }: MigrationReport): Markup {
  const total = confusion.reduce((sum, { pairs }) => sum + pairs, 0)
  if (total === 0) return section('decisions', 'Decisions', emptyNote('No pair has ended yet.'))
  const counts = new Map(confusion.map(({ v1, v2, pairs }) => [`${v1} ${v2}`, pairs]))
  const cellOf = (v1: Ending, v2: Ending): Markup => {
    const pairs = counts.get(`${v1} ${v2}`) ?? 0
    if (pairs === 0) return html`<span class="cell">0</span>`
    const depth = DEPTHS.findIndex((least) => pairs / total >= least)
    return html`<span class="cell ${v1 === v2 ? 'agree' : 'differ'} depth-${depth}"
      >${countText(pairs)} <small>${rateText(pairs, total)}</small></span
    >`
  }
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
        rows: ENDINGS.map((v1) => [v1, ...ENDINGS.map((v2) => cellOf(v1, v2))]),
      }),
    ]),
  )
}
