import type { IdKind } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { firstIdAt } from './find-deliveries.ts'

const DAY_MS = 86_400_000
const DELIVERY_DAYS = 30
/** Longer than any delivery is kept that may be sent again. */
const EVENT_DAYS = 60
const BATCH = 5000

/**
 * Deletes deliveries that ended and are past their time, and then their events, in batches until none is left. Ids begin with their
 * time, so that no index by age is needed.
 */
export async function sweepOldWebhooks(database: Db, clock: Clock): Promise<void> {
  const idOf = (kind: IdKind, days: number) => firstIdAt(kind, clock.nowMs() - days * DAY_MS)
  const steps = [
    sql`
      delete from webhook_deliveries where ctid = any (array(
        select ctid from webhook_deliveries
        where delivery_id < ${idOf('delivery', DELIVERY_DAYS)} limit ${BATCH}))`,
    sql`
      delete from events where ctid = any (array(
        select ctid from events e
        where event_id < ${idOf('event', EVENT_DAYS)}
          and not exists (select from webhook_outbox o where o.event_id = e.event_id) limit ${BATCH}))`,
  ]
  for (const step of steps) while (Number((await step.execute(database)).numAffectedRows) === BATCH);
}
