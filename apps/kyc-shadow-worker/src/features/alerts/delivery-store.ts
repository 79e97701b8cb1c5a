import type { MigrationEvent } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { claimDue } from '@vaani/service-kit/work/claim-due'
import { sql } from 'kysely'
import type { Target } from './targets.ts'

/** An alert that is due at a target. */
export interface DueAlert {
  event_id: string
  event: MigrationEvent
  /** Attempts before this one. */
  attempts: number
}

/** The alerts that are to be sent. */
export interface AlertDeliveries {
  /** Writes an alert in the transaction of what it is about, to be sent at once. */
  add(on: Db, targets: readonly Target[], event: MigrationEvent): Promise<void>
  claim(target: Target, request: { room: number; held: readonly DueAlert[] }): Promise<DueAlert[]>
  /** Deletes an alert that was accepted or given up. */
  end(target: Target, alert: DueAlert): Promise<void>
  /** Counts an attempt, and tries again later. */
  postpone(target: Target, alert: DueAlert, delayMs: number): Promise<void>
  /** Takes over alerts that the previous version queued as jobs and has not begun to send. */
  takeOverJobs(): Promise<void>
}

/** Longer than an attempt takes. */
const CLAIM_MS = 60_000

export function createAlertDeliveries({ database, clock }: { database: Db; clock: Clock }): AlertDeliveries {
  const afterMs = (delayMs: number) => new Date(clock.nowMs() + delayMs)
  return {
    async add(on, targets, event) {
      const due_at = afterMs(0)
      const rows = targets.map((target) => ({
        target,
        event_id: event.event_id,
        event: JSON.stringify(event),
        due_at,
      }))
      if (rows.length > 0) await on.insertInto('alert_deliveries').values(rows).execute()
    },
    claim: (target, { room, held }) =>
      claimDue<DueAlert>(database, {
        table: 'alert_deliveries',
        key: 'event_id',
        due: 'due_at',
        columns: ['event_id', 'event', 'attempts'],
        where: sql`target = ${target}`,
        room,
        held: held.map(({ event_id }) => event_id),
        now: afterMs(0),
        claimMs: CLAIM_MS,
      }),
    async end(target, { event_id }) {
      await database
        .deleteFrom('alert_deliveries')
        .where('target', '=', target)
        .where('event_id', '=', event_id)
        .execute()
    },
    async postpone(target, { event_id, attempts }, delayMs) {
      await database
        .updateTable('alert_deliveries')
        .set({ attempts: attempts + 1, due_at: afterMs(delayMs) })
        .where('target', '=', target)
        .where('event_id', '=', event_id)
        .execute()
    },
    async takeOverJobs() {
      const { rows } = await sql<{ jobs: string | null }>`
        select to_regclass(current_schema() || '_jobs.job')::text as jobs`.execute(database)
      const jobs = rows[0]?.jobs ?? null
      // A job that its worker lost is not given to another any more, once no process of that version runs.
      if (jobs !== null)
        await sql`
          with taken as (
            delete from ${sql.raw(jobs)}
            where name like 'alerts.%' and (
              state in ('created', 'retry')
              or state = 'active' and started_on + expire_seconds * interval '1 second' < now())
            returning name, data -> 'event' as event, retry_count, start_after
          )
          insert into alert_deliveries (target, event_id, event, attempts, due_at)
          select substr(name, 8), event ->> 'event_id', event, retry_count, start_after from taken
          on conflict do nothing`.execute(database)
    },
  }
}
