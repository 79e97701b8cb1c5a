import type { MigrationChange } from '@vaani/client'
import { Badge } from '../../parts/badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useParam } from '../../parts/use-choice.ts'
import { t } from '../../text/text.ts'
import { Because } from './because.tsx'

/** The last changes, with who made them, why, and what the evidence said. */
export function History({ of: changes }: { of: readonly MigrationChange[] }) {
  const [meant] = useParam('change_id')
  return (
    <section aria-labelledby="history">
      <h2 id="history">{t.migration.history}</h2>
      {changes.length === 0 ? (
        <p>{t.migration.noHistory}</p>
      ) : (
        <ol className="timeline">
          {changes.map((change) => (
            <li
              key={change.change_id}
              ref={
                change.change_id === meant
                  ? (item) => void item?.scrollIntoView({ block: 'center' })
                  : undefined
              }
              aria-current={change.change_id === meant || undefined}
            >
              <Time at={change.created_at} />
              <div>
                <strong>{titleOf(change)}</strong>
                <p>{whyOf(change)}</p>
                <Because of={change.verdict} className="hint" />
              </div>
              {change.forced && <Badge tone="bad">{t.migration.forced}</Badge>}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** The gate gives what the evidence said as its reason, which follows anyway. */
const whyOf = ({ actor, reason, verdict }: MigrationChange): string =>
  reason === verdict.because ? actor : `${actor}: ${reason}`

function titleOf({ kind, from_stage, to_stage, kill_switch }: MigrationChange): string {
  const move = `${t.migration.stages[from_stage]} → ${t.migration.stages[to_stage]}`
  switch (kind) {
    case 'stage':
      return move
    case 'rollback':
      return `${t.migration.changes.rollback}: ${move}`
    case 'kill_switch':
      return `${t.migration.changes.kill_switch} ${kill_switch === true ? t.migration.on : t.migration.off}`
    case 'evidence_restart':
      return t.migration.changes.evidence_restart
  }
}
