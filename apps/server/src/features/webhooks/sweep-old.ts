import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { type MonthlyTable, sweepMonths } from '@vaani/service-kit/database/monthly-partitions'
import { sql } from 'kysely'
import { DERIVED_DAYS } from './rules/event-id.ts'

const DELIVERY_DAYS = 30
/**
 * Longer than any delivery that may be resent is kept: its 30 days, the rest of its month, because months are dropped whole,
 * the day of its retries, and the time by which the event may be newer than its id.
 */
const EVENT_DAYS = DELIVERY_DAYS + 31 + 1 + DERIVED_DAYS

export const MONTHLY_DELIVERIES: MonthlyTable = {
  table: 'webhook_deliveries',
  column: 'delivery_id',
  kind: 'delivery',
}
export const MONTHLY_EVENTS: MonthlyTable = { table: 'events', column: 'event_id', kind: 'event' }

/** Drops ended deliveries and events, a month at a time. A month of events stays while one of them is in the outbox. */
export async function sweepOldWebhooks(database: Db, clock: Clock): Promise<void> {
  await sweepMonths(database, clock, MONTHLY_DELIVERIES, { days: DELIVERY_DAYS })
  await sweepMonths(database, clock, MONTHLY_EVENTS, {
    days: EVENT_DAYS,
    neededBelow: (id) => sql`select from webhook_outbox where event_id < ${id} limit 1`,
  })
}
