import type { Id, WebhookEventType } from '@vaani/contracts'

/** The table, and outbox position, of a delivery's row. */
export type Place =
  | { readonly table: 'webhook_outbox'; readonly shard: number; readonly position: string }
  | { readonly table: 'webhook_pending' }

/** A delivery as read by a worker. */
export interface Delivery {
  readonly delivery_id: string
  readonly lane_id: string
  readonly account_id: Id<'account'>
  readonly livemode: boolean
  readonly endpoint_id: string | null
  readonly url: string
  readonly event_id: string
  readonly event_type: WebhookEventType
  readonly object_id: string
  readonly sequence: string
  /** Without the late field. */
  readonly body: string
  readonly late_field: string | null
  /** Trace context of the work that the event reports. */
  readonly traceparent: string | null
  /** Version of the signing secret; null if there is none. */
  readonly secret_version: number | null
  readonly round_attempts: number
  readonly first_attempt_at: Date | null
  readonly createdMs: number
  place: Place
}

/** State of a lane's endpoint. Only `in_use` lanes are sent on. */
export type LaneState = 'in_use' | 'disabled' | 'deleted'

/** A lane as read by a worker. */
export interface LaneRow {
  readonly lane_id: string
  readonly shard: number
  readonly state: LaneState
  /** Consecutive attempts that found the receiver down. */
  readonly failures: number
  /** From the lane's endpoint, as is `warned_at`. */
  readonly failing_since: Date | null
  readonly warned_at: Date | null
}

/**
 * `column = value` for the first column of an index, written so that the planner looks up each value. With a plain `=` it may
 * scan the whole index in order instead, and does so once it has seen the table empty.
 */
export const looksUp = (column: string, value: string): string => `${column} = any (array[${value}])`

/** Joins the endpoint with this id, if any. The limit forces an index lookup, whatever the planner's statistics are. */
export const leftJoinEndpoint = (id: string): string => `
  left join lateral (select * from webhook_endpoints one where one.endpoint_id = ${id} limit 1) endpoint on true`

/** The columns of `LaneRow` that come from the lane's endpoint. */
export const ENDPOINT_COLUMNS = `
  case when endpoint.deleted_at is not null then 'deleted' when endpoint.enabled is false then 'disabled' else 'in_use'
    end as state,
  endpoint.failing_since, endpoint.warned_at`
