import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { sql } from 'kysely'
import type { AlertDeliveries } from './delivery-store.ts'
import type { Alert, AlertsPort } from './port.ts'
import type { Target } from './targets.ts'
import { type GroupedAlert, groupOf, toEvent } from './to-event.ts'

const GROUP_MS = 3_600_000
/** There are fewer groups. */
const MOST_HELD = 200

export interface Alerts extends AlertsPort {
  /** Sends the occurrences that were held back, of groups whose hour is over without a further one. */
  releaseHeld(): Promise<void>
}

/** Writes alerts in the caller's transaction: none is sent of a change that did not happen, and none is lost. */
export function createAlerts(options: {
  database: Db
  deliveries: AlertDeliveries
  clock: Clock
  makeId: IdMaker
  targets: readonly Target[]
}): Alerts {
  const { database, deliveries, clock, makeId, targets } = options

  async function send(on: Db, alert: Alert, pairs: number): Promise<void> {
    const createdAt = new Date(clock.nowMs())
    const event = toEvent(alert, { eventId: makeId('event'), createdAt, pairs })
    await deliveries.add(on, targets, event)
  }

  return {
    async raise(on, alert) {
      if (alert.type === 'changed') return send(on, alert, 1)
      const pairs = await countGroup(on, alert, new Date(clock.nowMs()))
      if (pairs !== null) await send(on, alert, pairs)
    },
    releaseHeld: () =>
      database.transaction().execute(async (tx) => {
        const now = new Date(clock.nowMs())
        const held = await tx
          .selectFrom('alert_groups')
          .select(['group_key', 'waiting', 'latest'])
          .where('waiting', '>', 0)
          .where('alerted_at', '<=', new Date(now.getTime() - GROUP_MS))
          .limit(MOST_HELD)
          .forUpdate()
          .skipLocked()
          .execute()
        for (const { group_key, waiting, latest } of held) {
          await tx
            .updateTable('alert_groups')
            .set({ alerted_at: now, reported: waiting, waiting: 0 })
            .where('group_key', '=', group_key)
            .execute()
          await send(tx, latest, waiting)
        }
      }),
  }
}

/** Counts an occurrence. Returns how many an alert reports now; null if none is due yet. */
async function countGroup(on: Db, alert: GroupedAlert, now: Date): Promise<number | null> {
  const isDue = sql`known.alerted_at <= ${new Date(now.getTime() - GROUP_MS)}`
  const { rows } = await sql<{ reported: number; waiting: number }>`
    insert into alert_groups as known (group_key, alerted_at, reported, waiting, latest)
    values (${groupOf(alert)}, ${now}, 1, 0, ${JSON.stringify(alert)})
    on conflict (group_key) do update set
      alerted_at = case when ${isDue} then excluded.alerted_at else known.alerted_at end,
      reported = case when ${isDue} then known.waiting + 1 else known.reported end,
      waiting = case when ${isDue} then 0 else known.waiting + 1 end,
      latest = excluded.latest
    returning reported, waiting`.execute(on)
  const [row] = rows
  return row === undefined || row.waiting > 0 ? null : row.reported
}
