import type { Insertable } from 'kysely'
import type { Tx } from '../database/connect.ts'
import type { EventTable } from '../database/schema.ts'

/** Writes an event, in the transaction of the change that it tells of, to be delivered. */
export async function writeEvent(tx: Tx, event: Insertable<EventTable>): Promise<void> {
  await tx
    .with('event', (db) => db.insertInto('events').values(event).returning(['sequence', 'event_id']))
    .insertInto('webhook_outbox')
    .columns(['sequence', 'event_id'])
    .expression((db) => db.selectFrom('event').select(['sequence', 'event_id']))
    .execute()
}
