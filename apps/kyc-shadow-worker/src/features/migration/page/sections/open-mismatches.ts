import type { MigrationReport, Pair, PairSide, Severity } from '@vaani/contracts/migration'
import { type Content, html, type Markup } from '../html.ts'
import { badge, emptyNote, facts, section, timeOf } from '../parts.ts'
import { durationText, SEVERITY_WORDS, STAGE_WORDS } from '../words.ts'

const TONES: Readonly<Record<Severity, 'bad' | 'open' | 'plain'>> = {
  worst: 'bad',
  serious: 'open',
  mild: 'plain',
}

/** The mismatches that nobody has acknowledged, with what differed. */
export const openMismatchesSection = ({ open_mismatches: pairs }: MigrationReport): Markup =>
  section(
    'open-mismatches',
    'Open mismatches',
    pairs.length === 0
      ? emptyNote('Nobody has to look at anything.')
      : html`<p class="hint">
            <code>vaani shadow acknowledge PAIR --note "…"</code> closes one; it still counts as evidence.
          </p>
          <ol class="cards">
            ${pairs.map(cardOf)}
          </ol>`,
  )

const cardOf = (pair: Pair): Markup =>
  html`<li class="card">
    <p>
      ${pair.severity !== null && badge(TONES[pair.severity], SEVERITY_WORDS[pair.severity])}
      <strong>v1 ${endingOf(pair.v1)}, v2 ${endingOf(pair.v2)}</strong>
    </p>
    <p><code>${pair.pair_id}</code></p>
    ${facts([
      ...differencesOf(pair),
      ['v1', sideOf(pair.v1)],
      ['v2', sideOf(pair.v2)],
      ['Submitted', html`${timeOf(pair.created_at)}, at ${STAGE_WORDS[pair.stage]}`],
    ])}
  </li>`

const endingOf = ({ ending }: PairSide): string => ending ?? 'not known'

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
