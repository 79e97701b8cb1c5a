import type { MigrationChange, MigrationReport } from '@vaani/contracts/migration'
import { html, type Markup } from '../html.ts'
import { badge, emptyNote, folded, section, timeOf } from '../parts.ts'
import { CHANGE_WORDS, STAGE_WORDS } from '../words.ts'

/** Changes that are shown without opening the rest. */
const SHOWN = 1

/** Every change, with who made it, why, and the evidence at that moment. */
export function historySection({ changes }: MigrationReport): Markup {
  if (changes.length === 0) return section('history', 'History', emptyNote('Nothing was changed yet.'))
  const older = changes.slice(SHOWN)
  return section(
    'history',
    'History',
    html`<ol class="cards">
      ${changes.slice(0, SHOWN).map(cardOf)}
    </ol>`,
    older.length > 0 &&
      folded(
        'older',
        `${older.length} older`,
        html`<ol class="cards">
          ${older.map(cardOf)}
        </ol>`,
      ),
  )
}

const cardOf = (change: MigrationChange): Markup =>
  html`<li class="card">
    <p>
      ${timeOf(change.created_at)}
      <strong>${titleOf(change)}</strong> ${change.forced && badge('bad', 'forced')}
    </p>
    <p>${change.actor}: ${change.reason}</p>
    <p><small>${change.verdict.because}</small></p>
  </li>`

function titleOf({ kind, from_stage, to_stage, kill_switch }: MigrationChange): string {
  const move = `${STAGE_WORDS[from_stage]} → ${STAGE_WORDS[to_stage]}`
  switch (kind) {
    case 'stage':
      return move
    case 'rollback':
      return `${CHANGE_WORDS[kind]}: ${move}`
    case 'kill_switch':
      return `${CHANGE_WORDS[kind]} ${kill_switch === true ? 'on' : 'off'}`
    case 'evidence_restart':
      return CHANGE_WORDS[kind]
  }
}
