import type { WebhookEventType } from '@vaani/contracts'
import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../clock.ts'
import { inTransaction } from '../database/transaction.ts'
import type { IdMaker } from '../ids.ts'
import { laneOfUrl } from './lane-id.ts'
import type { DueDelivery } from './lane-store.ts'
import { insertDeliveries, type NewDelivery } from './new-deliveries.ts'

const BATCH = 500
const LOCK = 7_204_119

interface EventRow {
  event_id: string
  account_id: string
  type: WebhookEventType
  object_id: string
  sequence: string
  body: string
  /** Of the submission, or else of the account. */
  url: string | null
  /** Of the account's secret. */
  secret_version: number | null
  endpoints: { endpoint_id: string; url: string; secret_version: number | null }[] | null
}

/** A delivery that was just made, as `fetch` would read it. */
type MadeDelivery = NewDelivery & { due: DueDelivery }

export interface FannedOut {
  /** Whether there may be more. */
  more: boolean
  laneIds: ReadonlySet<string>
  /** Those that need not wait for an earlier event of their object. */
  due: readonly DueDelivery[]
}

// An object's events are committed one after another, so their sequence is their order, and one process at a time makes
// the deliveries of them all: a later event's are never there before an earlier one's.
const READ = `
  select e.event_id, e.account_id, e.type, e.object_id, e.sequence, e.body,
    coalesce(e.callback_url, case when e.type like 'call.%' then a.call_webhook_url end) as url,
    s.version as secret_version,
    (select json_agg(json_build_object('endpoint_id', w.endpoint_id, 'url', w.url, 'secret_version', ws.version))
      from webhook_endpoints w left join webhook_secrets ws on ws.owner_id = w.endpoint_id
      where w.account_id = e.account_id and w.enabled and e.type = any (w.events)) as endpoints
  from (select * from webhook_outbox order by sequence limit ${BATCH}) o
  join events e on e.event_id = o.event_id
  join accounts a on a.account_id = e.account_id
  left join webhook_secrets s on s.owner_id = e.account_id
  order by e.sequence`
const TAKE_OUT = 'delete from webhook_outbox where sequence = any ($1::bigint[])'

/**
 * Makes a delivery of each new event for each of its destinations: the account's endpoints that want its type, and the
 * submission's callback URL or else the account's call webhook. Does nothing where another process is at it.
 */
export function fanOut(options: { pool: Pool; clock: Clock; makeId: IdMaker }): Promise<FannedOut> {
  const { pool, clock, makeId } = options
  return inTransaction(pool, async (client) => {
    const nothing: FannedOut = { more: false, laneIds: new Set(), due: [] }
    if (!(await takeTurn(client))) return nothing
    const { rows: events } = await client.query<EventRow>({ name: 'webhooks.events', text: READ })
    if (events.length === 0) return nothing
    const deliveries = events.flatMap((event) => toDeliveries(event, makeId))
    const next =
      deliveries.length === 0
        ? []
        : await insertDeliveries((statement) => client.query(statement), deliveries, new Date(clock.nowMs()))
    await client.query({
      name: 'webhooks.out',
      text: TAKE_OUT,
      values: [events.map((event) => event.sequence)],
    })
    return {
      more: events.length === BATCH,
      laneIds: new Set(deliveries.map((delivery) => delivery.lane_id)),
      due: next.map((delivery) => delivery.due),
    }
  })
}

async function takeTurn(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>({
    name: 'webhooks.turn',
    text: `select pg_try_advisory_xact_lock(${LOCK}) as taken`,
  })
  return rows[0]?.taken === true
}

function toDeliveries(event: EventRow, makeId: IdMaker): MadeDelivery[] {
  const { endpoints, url } = event
  const wanted = endpoints ?? []
  // An address that is an endpoint as well gets the event once.
  const own =
    url === null || wanted.some((endpoint) => endpoint.url === url)
      ? []
      : [{ endpoint_id: null, url, secret_version: event.secret_version }]
  return [...wanted, ...own].map((destination) => {
    const { endpoint_id } = destination
    const { account_id, event_id, type, object_id, sequence, body } = event
    const delivery_id = makeId('delivery')
    const lane_id = endpoint_id ?? laneOfUrl(account_id, destination.url)
    const shared = { delivery_id, account_id, lane_id, event_id, endpoint_id }
    return {
      ...shared,
      url: endpoint_id === null ? destination.url : null,
      type,
      object_id,
      sequence,
      due: { ...shared, ...destination, body, round_attempts: 0, first_attempt_at: null },
    }
  })
}
