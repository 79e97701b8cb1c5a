import type {
  DeadReason,
  DeliveryAttempt,
  DeliveryStatus,
  EndpointDisabledReason,
  Id,
  WebhookEventType,
} from '@vaani/contracts'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface EventTable {
  event_id: string
  account_id: Id<'account'>
  livemode: boolean
  type: string
  object_id: string
  /** The webhook body, byte for byte as it is sent, except for the late field. */
  body: string
  sequence: Generated<string>
  /** Callback URL of the submission that this event belongs to. */
  callback_url: Generated<string | null>
  created_at: Date
  /** Trace context of the work that it reports; null unless that is sampled. */
  traceparent: Generated<string | null>
  /** Field of `data` that is added when the event is sent, because it must not be stored here. */
  late_field: Generated<string | null>
}

/** Deliveries still to be made: one row per event and destination, written together with the event. */
export interface WebhookOutboxTable {
  shard: GeneratedAlways<number>
  /** Ascends in the order of an object's events. */
  position: GeneratedAlways<string>
  /** Sequence of the event. */
  sequence: string
  event_id: string
  lane_id: string
  endpoint_id: string | null
  /** Null for deliveries to an endpoint, which use its current URL. */
  url: string | null
}

export interface WebhookSecretTable {
  /** Id of the endpoint, or of the account for its call webhook and callback URLs. */
  owner_id: string
  livemode: boolean
  account_id: Id<'account'>
  sealed: Buffer
  previous_sealed: Buffer | null
  previous_until: Date | null
  /** Whether the previous secret signs the single-signature header during the overlap. */
  previous_signs: Generated<boolean>
  /** Increases with every rotation. */
  version: Generated<number>
}

export interface WebhookEndpointTable {
  endpoint_id: string
  account_id: Id<'account'>
  livemode: boolean
  url: string
  events: WebhookEventType[]
  enabled: Generated<boolean>
  disabled_at: Date | null
  disabled_reason: EndpointDisabledReason | null
  /** Time of the first failure since the last success. */
  failing_since: Date | null
  /** When its owner was warned that it will be disabled. */
  warned_at: Date | null
  /** Deleted endpoints keep their rows for the history of their deliveries. */
  deleted_at: Date | null
  created_at: Date
}

/** Lanes on which deliveries wait or attempts failed. Other lanes have no row. */
export interface WebhookLaneTable {
  lane_id: string
  shard: GeneratedAlways<number>
  /** Consecutive attempts that found the receiver down. */
  failures: Generated<number>
  /** Nothing is sent until this time. */
  open_until: Date | null
  /** When a worker must next look at the lane; null if nothing is due. */
  due_at: Date | null
}

/** Workers that deliver webhooks. Deleting the row of a worker that is gone frees its shards. */
export interface WebhookWorkerTable {
  worker_id: string
  /** Key of the advisory lock that the worker's session holds. The lock ends with the process. */
  session: number
  lease_expires_at: Date
}

/** Shards, which lanes belong to by hash, and the only worker that sends on their lanes. */
export interface WebhookShardTable {
  shard: number
  worker_id: string | null
}

interface WebhookDeliveryColumns {
  delivery_id: string
  account_id: Id<'account'>
  livemode: boolean
  lane_id: string
  endpoint_id: string | null
  event_id: string
  event_type: WebhookEventType
  object_id: string
  /** Sequence of the event. */
  sequence: string
  resent: Generated<boolean>
  attempt_count: Generated<number>
  attempts: ColumnType<DeliveryAttempt[], string | undefined, string>
  created_at: Date
}

/** Deliveries that wait for their next attempt, their lane, or an earlier event of their object. */
export interface WebhookPendingTable extends WebhookDeliveryColumns {
  shard: GeneratedAlways<number>
  /** Null for deliveries to an endpoint, which use its current URL. */
  url: string | null
  /** Whether no earlier event of the object waits on the lane. */
  is_next: boolean
  /** Attempts since the delivery was created or last resent by hand. */
  round_attempts: Generated<number>
  /** When the delivery was created or last resent by hand. */
  queued_at: Date
  first_attempt_at: Date | null
  next_attempt_at: Date
  expires_at: Date
}

/** Deliveries that have ended. */
export interface WebhookDeliveryTable extends WebhookDeliveryColumns {
  /** Destination of the last attempt; null for an endpoint's delivery without one. */
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
