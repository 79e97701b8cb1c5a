import type { Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { sql } from 'kysely'
import { endPending, lockLanes, runIn } from './delivery/settle/pending-rows.ts'

/** Lane of deliveries whose callback URL was erased. A lane's id contains the origin of the URL. */
const ERASED_LANE = 'erased'

export interface ErasureOfEvents {
  objectIds: readonly string[]
  /** Removes the personal data from the body of an event. */
  redact: (body: string) => string
  makeId: IdMaker
  now: Date
}

/**
 * Erases personal data from the events about these objects and from their deliveries: bodies, callback URLs, and excerpts of
 * the receivers' responses, which may repeat a body. Deliveries that have not ended become dead, because an attempt in flight
 * writes its outcome only to a delivery that has not ended. No event about these objects may be written concurrently.
 */
export async function eraseEvents(
  tx: Tx,
  { objectIds, redact, makeId, now }: ErasureOfEvents,
): Promise<void> {
  const ofObjects = sql<string>`any (${objectIds}::text[])`
  const events = await tx
    .selectFrom('events')
    .where('object_id', '=', ofObjects)
    .select(['event_id', 'body', 'callback_url'])
    .execute()
  if (events.length === 0) return
  const ofEvents = sql<string>`any (${events.map(({ event_id }) => event_id)}::text[])`
  for (const { event_id, body, callback_url } of events) {
    const redacted = redact(body)
    if (redacted === body && callback_url === null) continue
    await tx
      .updateTable('events')
      .set({ body: redacted, callback_url: null })
      .where('event_id', '=', event_id)
      .execute()
  }

  const findLanes = async () => {
    const fromOutbox = tx.selectFrom('webhook_outbox').where('event_id', '=', ofEvents).select('lane_id')
    const fromPending = tx.selectFrom('webhook_pending').where('object_id', '=', ofObjects).select('lane_id')
    const lanes = await fromOutbox.union(fromPending).execute()
    return lanes.map(({ lane_id }) => lane_id)
  }

  async function endAll(lanes: readonly string[]): Promise<void> {
    const run = runIn(tx)
    // Due now, so that a worker visits each lane and forgets it if nothing else waits there.
    await lockLanes(run, new Map(lanes.map((lane) => [lane, now])))
    const taken = await tx
      .deleteFrom('webhook_outbox')
      .where('event_id', '=', ofEvents)
      .returning(['event_id', 'lane_id', 'endpoint_id', 'sequence'])
      .execute()
    if (taken.length > 0) {
      const rows = taken.map((row) => ({ ...row, delivery_id: makeId('delivery') }))
      await sql`
        insert into webhook_deliveries (delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type,
          object_id, sequence, status, dead_reason, created_at)
        select given.delivery_id, event.account_id, event.livemode, given.lane_id, given.endpoint_id, event.event_id,
          event.type, event.object_id, given.sequence, 'dead', 'erased', ${now}
        from json_to_recordset(${JSON.stringify(rows)}) as given (delivery_id text, event_id text, lane_id text,
          endpoint_id text, sequence bigint)
        cross join lateral (select * from events one where one.event_id = given.event_id limit 1) event`.execute(
        tx,
      )
    }
    const waiting = await tx
      .selectFrom('webhook_pending')
      .where('object_id', '=', ofObjects)
      .select(['account_id', 'livemode', 'delivery_id'])
      .execute()
    const ended = waiting.map((key) => ({
      ...key,
      url: null,
      status: 'dead' as const,
      dead_reason: 'erased' as const,
      attempt: null,
    }))
    const following = await endPending(run, ended)
    await lockLanes(run, new Map(following.map((row) => [row.lane_id, row.next_attempt_at])))
  }

  for (;;) {
    await redactEnded(tx, objectIds)
    // A delivery may have been resent until its row was redacted.
    const lanes = await findLanes()
    if (lanes.length === 0) return
    await endAll(lanes)
  }
}

const redactEnded = (tx: Tx, objectIds: readonly string[]) =>
  sql`
    update webhook_deliveries
    set url = case when endpoint_id is not null then url end,
      lane_id = case when endpoint_id is null then ${ERASED_LANE} else lane_id end,
      attempts = (
        select coalesce(jsonb_agg(attempt || '{"response_excerpt": null}' order by position), '[]')
        from jsonb_array_elements(attempts) with ordinality as listed (attempt, position))
    where object_id = any (${objectIds}::text[])
      and (endpoint_id is null and lane_id <> ${ERASED_LANE}
        or jsonb_path_exists(attempts, '$[*].response_excerpt ? (@ != null)'))`.execute(tx)
