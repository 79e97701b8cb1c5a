import type { Ending, MigrationReport, Pair, PairSide, Severity } from '@vaani/contracts/migration'
import { groupMismatches, type MismatchGroup } from '@vaani/migration-charts'
import { type Content, html, type Markup } from '../html.ts'
import { badge, emptyNote, facts, folded, section, timeOf } from '../parts.ts'
import { countText, durationText, SEVERITY_WORDS, STAGE_WORDS } from '../words.ts'

const TONES: Readonly<Record<Severity, 'bad' | 'open' | 'plain'>> = {
  worst: 'bad',
  serious: 'open',
  mild: 'plain',
}

/** The mismatches that nobody has acknowledged, by class, with what differed in each. */
export const openMismatchesSection = ({ open_mismatches: pairs }: MigrationReport): Markup =>
  section(
    'open-mismatches',
    'Open mismatches',
    pairs.length === 0
      ? emptyNote('Nobody has to look at anything.')
      : html`<p class="hint">
            <code>vaani shadow acknowledge PAIR --note "…"</code> closes one; it still counts as evidence.
          </p>
          ${groupMismatches(pairs).map(groupOf)}`,
  )

const groupOf = ({ severity, v1, v2, pairs }: MismatchGroup): Markup =>
  folded(
    `mismatches-${severity}-${v1}-${v2}`,
    html`${severity !== null && badge(TONES[severity], SEVERITY_WORDS[severity])}
      <strong>v1 ${wordOf(v1)}, v2 ${wordOf(v2)}</strong>: ${countText(pairs.length)}`,
    html`<ol class="cards">
      ${pairs.map(cardOf)}
    </ol>`,
  )

const cardOf = (pair: Pair): Markup =>
  html`<li class="card">
    <p><code>${pair.pair_id}</code></p>
    ${facts([
      ...differencesOf(pair),
      ['v1', sideOf(pair.v1)],
      ['v2', sideOf(pair.v2)],
      ['Submitted', html`${timeOf(pair.created_at)}, at ${STAGE_WORDS[pair.stage]}`],
    ])}
  </li>`

const wordOf = (ending: Ending | null): string => ending ?? 'not known'

function differencesOf({ differing_scores, differs_in_code, fields }: Pair): [string, Content][] {
  const differing = Object.entries(fields).filter(([, kind]) => kind !== 'equal')
  return [
    ...(differs_in_code ? [['Differs in', 'the error code'] satisfies [string, Content]] : []),
    ...(differing_scores.length > 0
      ? [['Scores', differing_scores.join(', ')] satisfies [string, Content]]
      : []),
    ...(differing.length > 0
      ? [
          [
            'Fields',
            differing.map(([name, kind]) => `${name} ${kind?.replaceAll('_', ' ')}`).join(', '),
          ] satisfies [string, Content],
        ]
      : []),
  ]
}

function sideOf({ verification_id, error_code, reason_codes, answer_ms, decision_ms }: PairSide): Markup {
  const reasons = [...(error_code === null ? [] : [error_code]), ...reason_codes]
  return html`<code>${verification_id ?? 'no id'}</code
    >${reasons.length > 0 && html`<br />${reasons.join(', ')}`}<br /><small
      >answer ${durationText(answer_ms)}, decision ${durationText(decision_ms)}</small
    >`
}
