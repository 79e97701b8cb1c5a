import type { ConditionState, MigrationCondition, MigrationReport } from '@vaani/contracts/migration'
import { html, type Markup } from '../html.ts'
import { badge, emptyNote, section, table } from '../parts.ts'
import { countText, rateText, shareText, STATE_WORDS } from '../words.ts'

const TONES: Readonly<Record<ConditionState, 'good' | 'bad' | 'open'>> = {
  met: 'good',
  open: 'open',
  broken: 'bad',
}

/** The conditions of a promotion. */
export const conditionsSection = ({ migration }: MigrationReport): Markup =>
  section(
    'conditions',
    'Conditions',
    migration.verdict.conditions.length === 0
      ? emptyNote('There is no condition.')
      : table({
          id: 'conditions-table',
          caption: 'Conditions of a promotion',
          headings: ['Condition', 'State', 'Observed', 'Bounds', 'Allowed', 'v1 twice'],
          rows: migration.verdict.conditions.map(rowOf),
        }),
    html`<p class="hint">
      The bounds hold at any time, however often you look. They are of the excess over v1’s own wobble where
      that is measured.
    </p>`,
  )

const rowOf = ({
  label,
  state,
  events,
  trials,
  lower,
  upper,
  allowed,
  noise,
  missing_trials,
}: MigrationCondition) => [
  label,
  html`${badge(TONES[state], STATE_WORDS[state])}${missingOf(state, missing_trials)}`,
  html`${rateText(events, trials)} <small>${countText(events)} of ${countText(trials)}</small>`,
  `${shareText(lower)} to ${shareText(upper)}`,
  shareText(allowed),
  noise === null
    ? '–'
    : html`${rateText(noise.events, noise.trials)}
        <small>${countText(noise.events)} of ${countText(noise.trials)}</small>`,
]

function missingOf(state: ConditionState, missing: number | null): Markup | null {
  if (state !== 'open') return null
  return missing === null
    ? html` <small>no number is enough</small>`
    : html` <small>${countText(missing)} more</small>`
}
