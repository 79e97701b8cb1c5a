import type { WebhookEventType } from '@vaani/contracts'

/** Where a delivery's row is. */
export type Place =
  | { readonly table: 'webhook_outbox'; readonly shard: number; readonly position: string }
  | { readonly table: 'webhook_pending' }

/** A delivery as a worker has read it. */
export interface Delivery {
  readonly delivery_id: string
  readonly lane_id: string
  readonly account_id: string
  readonly livemode: boolean
  readonly endpoint_id: string | null
  readonly url: string
  readonly event_id: string
  readonly event_type: WebhookEventType
  readonly object_id: string
  readonly sequence: string
  readonly body: string
  /** Of the work that the event reports. */
  readonly traceparent: string | null
  /** Of the secret to sign with; null if there is none. */
  readonly secret_version: number | null
  readonly round_attempts: number
  readonly first_attempt_at: Date | null
  readonly createdMs: number
  place: Place
}

/** What decides whether a lane is sent on. */
export type LaneState = 'in_use' | 'disabled' | 'deleted'

/** A lane as a worker has read it. */
export interface LaneRow {
  readonly lane_id: string
  readonly shard: number
  readonly state: LaneState
  /** Failed attempts since the last that was answered. */
  readonly failures: number
  /** Of its endpoint. */
  readonly failing_since: Date | null
  readonly warned_at: Date | null
}

/**
 * `column = value`, for the first column of an index: looks up each value. By a plain `=` the planner may read the index whole
 * and in order instead, and does so once it has seen the table empty.
 */
export const looksUp = (column: string, value: string): string => `${column} = any (array[${value}])`

/** The endpoint of an id, if there is one. The limit keeps it a lookup, whatever the planner has seen of the table. */
export const leftJoinEndpoint = (id: string): string => `
  left join lateral (select * from webhook_endpoints one where one.endpoint_id = ${id} limit 1) endpoint on true`

/** Columns of `LaneRow` besides its own, of a lane's endpoint. */
export const ENDPOINT_COLUMNS = `
  case when endpoint.deleted_at is not null then 'deleted' when endpoint.enabled is false then 'disabled' else 'in_use'
    end as state,
  endpoint.failing_since, endpoint.warned_at`
