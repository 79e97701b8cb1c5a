import type { Advice, MigrationReport } from '@vaani/contracts/migration'
import { html, type Markup } from '../html.ts'
import { badge, facts, timeOf } from '../parts.ts'
import { ADVICE_WORDS, bytesText, countText, KILL_SOURCE_WORDS, shareText, STAGE_WORDS } from '../words.ts'

const TONES: Readonly<Record<Advice, 'good' | 'bad' | 'open'>> = {
  promote: 'good',
  hold: 'open',
  roll_back: 'bad',
  not_enough_evidence: 'open',
  done: 'good',
}

/** Where the migration stands and what the evidence advises: all that a person on call needs first. */
export function stateSection({ migration, generated_at }: MigrationReport): Markup {
  const { stage, answers, shadow_share, kill_switch, verdict, pairs, spool } = migration
  const { source } = kill_switch
  return html`<section id="state" aria-label="State">
    ${kill_switch.engaged && html`<p class="alarm" role="note"><strong>Kill switch on.</strong> Nothing is shadowed, because of ${source === null ? 'an unknown source' : KILL_SOURCE_WORDS[source]}.</p>`}
    <div class="headline">
      <div>
        <p class="label">Stage</p>
        <p class="stage">${STAGE_WORDS[stage]}</p>
      </div>
      <div class="advice">
        <p class="label">Advice</p>
        <p>${badge(TONES[verdict.advice], ADVICE_WORDS[verdict.advice])}</p>
        <p>${verdict.because}</p>
        ${migration.attention.map((words) => html`<p>${words}</p>`)}
      </div>
    </div>
    ${facts([
      ['Callers get', `the answer of ${answers}`],
      ['Also sent to the other version', shareText(shadow_share)],
      ['Since', html`${timeOf(migration.changed_at)}, by ${migration.changed_by}`],
      ['Evidence since', timeOf(migration.evidence_since)],
      ['Pairs that ended', countText(pairs.ended)],
      ['Pairs that wait', countText(pairs.waiting)],
      [
        'Sent today',
        `${countText(pairs.sent_today)}${pairs.daily_budget === null ? '' : ` of ${countText(pairs.daily_budget)}`}`,
      ],
      [
        'Spool',
        `${countText(spool.submissions)} waiting, ${bytesText(spool.bytes)} of ${bytesText(spool.max_bytes)}`,
      ],
      ...(migration.flag_source === 'table' ? [] : [['Stage decided by', migration.flag_source] as const]),
      ['Report made', timeOf(generated_at)],
    ])}
  </section>`
}
