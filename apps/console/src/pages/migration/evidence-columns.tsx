import type { MigrationCondition } from '@vaani/client'
import type { Column } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { rateText } from './rate-text.ts'

type Evidence = Pick<MigrationCondition, 'events' | 'trials' | 'lower' | 'upper' | 'allowed'>

/** What was observed, its bounds, and what is allowed. */
export const EVIDENCE_COLUMNS: readonly Column<Evidence>[] = [
  {
    name: t.migration.observed,
    isNumber: true,
    cell: ({ events, trials }) => (
      <span>
        {rateText(events, trials)}{' '}
        <small>{t.migration.of(t.formats.number(events), t.formats.number(trials))}</small>
      </span>
    ),
  },
  {
    name: t.migration.bounds,
    isNumber: true,
    cell: ({ lower, upper }) => t.migration.to(t.formats.share(lower), t.formats.share(upper)),
  },
  { name: t.migration.allowed, isNumber: true, cell: ({ allowed }) => t.formats.share(allowed) },
]
