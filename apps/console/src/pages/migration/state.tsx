import type { Migration } from '@vaani/client'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { Because } from './because.tsx'

const TONES: Readonly<Record<Migration['verdict']['advice'], Tone>> = {
  promote: 'good',
  hold: 'busy',
  roll_back: 'bad',
  not_enough_evidence: 'busy',
  done: 'good',
}

/** All that a person on call needs first: the stage, what answers callers, and what the evidence advises. */
export function State({ of: { kill_switch, verdict, attention, ...migration } }: { of: Migration }) {
  const { stage, pairs, spool } = migration
  const { source } = kill_switch
  return (
    <section aria-label={t.migration.state}>
      {kill_switch.engaged && (
        <p role="alert" className="problem">
          {t.migration.killed(source === null ? t.migration.unknownSource : t.migration.killSources[source])}
        </p>
      )}
      <p className="headline">
        <strong>{t.migration.stages[stage]}</strong>
        <Badge tone={TONES[verdict.advice]}>{t.migration.adviceWords[verdict.advice]}</Badge>
      </p>
      <Because of={verdict} />
      {attention.map((words) => (
        <p key={words} lang="en" className="notice">
          {words}
        </p>
      ))}
      <Facts
        of={[
          [t.migration.answers, migration.answers],
          [t.migration.shadowed, t.formats.share(migration.shadow_share)],
          [
            t.migration.since,
            <span key="since">
              <Time at={migration.changed_at} /> {t.migration.by(migration.changed_by)}
            </span>,
          ],
          [t.migration.evidenceSince, <Time key="evidence" at={migration.evidence_since} />],
          [t.migration.ended, t.formats.number(pairs.ended)],
          [t.migration.waiting, t.formats.number(pairs.waiting)],
          [t.migration.sentToday, ofAll(pairs.sent_today, pairs.daily_budget)],
          [
            t.migration.spool,
            `${t.formats.number(spool.submissions)} · ${t.migration.of(t.formats.size(spool.bytes), t.formats.size(spool.max_bytes))}`,
          ],
          [t.migration.decidedBy, migration.flag_source === 'table' ? null : migration.flag_source],
        ]}
      />
    </section>
  )
}

const ofAll = (value: number, most: number | null): string =>
  most === null ? t.formats.number(value) : t.migration.of(t.formats.number(value), t.formats.number(most))
