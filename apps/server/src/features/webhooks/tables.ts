import type {
  DeadReason,
  DeliveryAttempt,
  DeliveryStatus,
  EndpointDisabledReason,
  WebhookEventType,
} from '@vaani/contracts'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface EventTable {
  event_id: string
  account_id: string
  livemode: boolean
  type: string
  object_id: string
  /** The webhook body, byte for byte as it will be sent. */
  body: string
  sequence: Generated<string>
  /** Where the submission asked its own event to be sent. */
  callback_url: Generated<string | null>
  created_at: Date
  /** Of the work that it reports; null unless that is sampled. */
  traceparent: Generated<string | null>
}

/** Deliveries that are still to be made: an event once for each destination, written with the event. */
export interface WebhookOutboxTable {
  shard: GeneratedAlways<number>
  /** In the order of an object's events. */
  position: GeneratedAlways<string>
  /** Of the event. */
  sequence: string
  event_id: string
  lane_id: string
  endpoint_id: string | null
  /** Null for an endpoint's, which go where the endpoint is now. */
  url: string | null
}

export interface WebhookSecretTable {
  /** The endpoint, or the account for its call webhook and its callback URLs. */
  owner_id: string
  livemode: boolean
  account_id: string
  sealed: Buffer
  previous_sealed: Buffer | null
  previous_until: Date | null
  /** Whether the previous one makes the header that holds one signature, as long as it lasts. */
  previous_signs: Generated<boolean>
  /** Goes up with every rotation. */
  version: Generated<number>
}

export interface WebhookEndpointTable {
  endpoint_id: string
  account_id: string
  livemode: boolean
  url: string
  events: WebhookEventType[]
  enabled: Generated<boolean>
  disabled_at: Date | null
  disabled_reason: EndpointDisabledReason | null
  /** The first failure since the last success. */
  failing_since: Date | null
  /** When its owner was warned that it will be disabled. */
  warned_at: Date | null
  /** Kept for the history of its deliveries. */
  deleted_at: Date | null
  created_at: Date
}

/** Lanes on which deliveries wait or attempts failed; any other has no row. */
export interface WebhookLaneTable {
  lane_id: string
  shard: GeneratedAlways<number>
  /** Failed attempts since the last that was answered. */
  failures: Generated<number>
  /** Nothing is sent until then. */
  open_until: Date | null
  /** When there is something to do; null: nothing waits. */
  due_at: Date | null
}

/** Workers that deliver webhooks. The shards of one that is gone are free once its row is deleted. */
export interface WebhookWorkerTable {
  worker_id: string
  /** Key of the advisory lock that the worker's session holds: the lock ends with the process. */
  session: number
  lease_expires_at: Date
}

/** A part of all lanes, by their hash, and the worker that alone sends on them. */
export interface WebhookShardTable {
  shard: number
  worker_id: string | null
}

interface WebhookDeliveryColumns {
  delivery_id: string
  account_id: string
  livemode: boolean
  lane_id: string
  endpoint_id: string | null
  event_id: string
  event_type: WebhookEventType
  object_id: string
  /** Of the event. */
  sequence: string
  resent: Generated<boolean>
  attempt_count: Generated<number>
  attempts: ColumnType<DeliveryAttempt[], string | undefined, string>
  created_at: Date
}

/** Deliveries that wait: for their next attempt, their lane, or an earlier event of their object. */
export interface WebhookPendingTable extends WebhookDeliveryColumns {
  shard: GeneratedAlways<number>
  /** Null for an endpoint's, which go where the endpoint is now. */
  url: string | null
  /** No earlier event of the object waits on the lane. */
  is_next: boolean
  /** Attempts since it was made or last sent again by hand. */
  round_attempts: Generated<number>
  /** When it was made or last sent again by hand. */
  queued_at: Date
  first_attempt_at: Date | null
  next_attempt_at: Date
  expires_at: Date
}

/** Deliveries that have ended. */
export interface WebhookDeliveryTable extends WebhookDeliveryColumns {
  /** Where the last attempt went; null where none was made. */
  url: string | null
  status: Exclude<DeliveryStatus, 'pending'>
  dead_reason: DeadReason | null
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    events: EventTable
    webhook_outbox: WebhookOutboxTable
    webhook_secrets: WebhookSecretTable
    webhook_endpoints: WebhookEndpointTable
    webhook_lanes: WebhookLaneTable
    webhook_workers: WebhookWorkerTable
    webhook_shards: WebhookShardTable
    webhook_pending: WebhookPendingTable
    webhook_deliveries: WebhookDeliveryTable
  }
}
