import type { MigrationCondition } from '@vaani/client'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { EVIDENCE_COLUMNS } from './evidence-columns.tsx'
import { rateText } from './rate-text.ts'

const TONES: Readonly<Record<MigrationCondition['state'], Tone>> = {
  met: 'good',
  open: 'busy',
  broken: 'bad',
}

/** What has to hold before v2 answers: what was observed, its bounds, and what is allowed. */
export const Conditions = ({ of: conditions }: { of: readonly MigrationCondition[] }) => (
  <section aria-labelledby="conditions">
    <h2 id="conditions">{t.migration.conditions}</h2>
    <Table
      label={t.migration.conditions}
      rows={conditions}
      idOf={({ name }) => name}
      columns={[
        { name: t.migration.condition, cell: ({ name }) => t.migration.conditionNames[name] },
        { name: t.migration.conditionState, cell: (condition) => <StateOf condition={condition} /> },
        ...EVIDENCE_COLUMNS,
        {
          name: t.migration.noise,
          isNumber: true,
          cell: ({ noise }) => (noise === null ? '–' : rateText(noise.events, noise.trials)),
        },
      ]}
    />
    <p className="hint">{t.migration.boundsHint}</p>
  </section>
)

const StateOf = ({ condition: { state, missing_trials } }: { condition: MigrationCondition }) => (
  <span>
    <Badge tone={TONES[state]}>{t.migration.states[state]}</Badge>{' '}
    {state === 'open' && (
      <small>
        {missing_trials === null
          ? t.migration.neverEnough
          : t.migration.more(t.formats.number(missing_trials))}
      </small>
    )}
  </span>
)
