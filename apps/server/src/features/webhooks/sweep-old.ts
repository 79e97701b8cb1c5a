import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { type MonthlyTable, sweepMonths } from '@vaani/service-kit/database/monthly-partitions'
import { sql } from 'kysely'

const DELIVERY_DAYS = 30
/**
 * Longer than any delivery is kept that may be sent again: one of the next month, for its 30 days and that month, and for the day
 * in which it is tried again.
 */
const EVENT_DAYS = DELIVERY_DAYS + 31 + 1

export const MONTHLY_DELIVERIES: MonthlyTable = {
  table: 'webhook_deliveries',
  column: 'delivery_id',
  kind: 'delivery',
}
export const MONTHLY_EVENTS: MonthlyTable = { table: 'events', column: 'event_id', kind: 'event' }

/** Drops deliveries that ended, and events, a month at a time. Events stay as long as one of them is in the outbox. */
export async function sweepOldWebhooks(database: Db, clock: Clock): Promise<void> {
  await sweepMonths(database, clock, MONTHLY_DELIVERIES, { days: DELIVERY_DAYS })
  await sweepMonths(database, clock, MONTHLY_EVENTS, {
    days: EVENT_DAYS,
    neededBelow: (id) => sql`select from webhook_outbox where event_id < ${id} limit 1`,
  })
}
