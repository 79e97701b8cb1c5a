import type { Tables, Tx } from '@vaani/service-kit/database/connect'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import { type InsertObject, sql } from 'kysely'

/**
 * Inserts the event of the common table expression `event` into the outbox, once per destination. Destinations are the
 * enabled endpoints of its account and mode that subscribe to its type, and its callback URL or else, for call events, the
 * call webhook of that mode. A URL that is also an endpoint gets the event once. An endpoint gets no events about itself.
 * Other URLs have one lane per account, mode and origin.
 */
export const FILL_OUTBOX = `
  insert into webhook_outbox (sequence, event_id, lane_id, endpoint_id, url)
  select e.sequence, e.event_id, to_endpoint.endpoint_id, to_endpoint.endpoint_id, null
  from event e join webhook_endpoints to_endpoint on to_endpoint.account_id = e.account_id
    and to_endpoint.livemode = e.livemode and to_endpoint.deleted_at is null and to_endpoint.enabled
    and e.type = any (to_endpoint.events) and to_endpoint.endpoint_id <> e.object_id
  union all
  select e.sequence, e.event_id, concat(e.account_id, case when e.livemode then ' live ' else ' test ' end,
    coalesce(lower(substring(own.url from '^[^:/?#]+://[^/?#]+')), own.url)), null, own.url
  from event e join accounts a on a.account_id = e.account_id
    cross join lateral (select coalesce(e.callback_url, case
      when e.type like 'call.%' and e.livemode then a.call_webhook_url
      when e.type like 'call.%' then a.test_call_webhook_url end) as url) own
  where own.url is not null and not exists (
    select from webhook_endpoints same where same.account_id = e.account_id and same.livemode = e.livemode
      and same.deleted_at is null and same.enabled and e.type = any (same.events) and same.url = own.url)`

/** Columns of `event` that `FILL_OUTBOX` reads. */
export const OUTBOX_COLUMNS = [
  'sequence',
  'event_id',
  'account_id',
  'livemode',
  'type',
  'object_id',
  'callback_url',
] as const

const WRITTEN_COLUMNS = [
  'event_id',
  'account_id',
  'livemode',
  'type',
  'object_id',
  'body',
  'created_at',
  'traceparent',
] as const

/**
 * Common table expressions that write an event and its outbox rows within a statement of the change that it reports, where a
 * statement of its own would cost too much. Takes the SQL of each value, such as `$3`.
 */
export const eventWith = (values: Readonly<Record<(typeof WRITTEN_COLUMNS)[number], string>>): string => `
  event as (
    insert into events (${WRITTEN_COLUMNS.join(', ')})
    values (${WRITTEN_COLUMNS.map((column) => values[column]).join(', ')}) returning ${OUTBOX_COLUMNS.join(', ')}
  ), outbox as (${FILL_OUTBOX})`

export type NewEvent = InsertObject<Tables, 'events'>

/** Writes an event and its outbox rows. `tx` must be the transaction of the change that the event reports. */
export async function writeEvent(tx: Tx, event: NewEvent): Promise<void> {
  const traced = { traceparent: currentTraceparent(), ...event }
  const insert = tx.insertInto('events').values(traced).returning(OUTBOX_COLUMNS)
  await sql`with event as (${insert}) ${sql.raw(FILL_OUTBOX)}`.execute(tx)
}

/** Writes an event without outbox rows. @returns its sequence */
export async function insertEvent(tx: Tx, event: NewEvent): Promise<string> {
  const traced = { traceparent: currentTraceparent(), ...event }
  const row = await tx.insertInto('events').values(traced).returning('sequence').executeTakeFirstOrThrow()
  return row.sequence
}
