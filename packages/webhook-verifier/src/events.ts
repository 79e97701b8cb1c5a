/** The envelope of every webhook body. */
export interface EventEnvelope<Type extends string, Data> {
  readonly event_id: string
  readonly type: Type
  /** ISO 8601 with an offset. */
  readonly created_at: string
  readonly data: Data
}

export type WebhookEvent = CallEvent | VerificationEvent | WebhookEndpointEvent

/** Sent on every change of a call's status. */
export type CallEvent = EventEnvelope<
  'call.queued' | 'call.in_progress' | 'call.completed' | 'call.failed',
  Call
>

/** The final decision on a person's identity. */
export type VerificationEvent = EventEnvelope<'verification.approved' | 'verification.declined', Verification>

/** Another endpoint of the account has failed for days, or was disabled because it failed or answered 410. */
export type WebhookEndpointEvent = EventEnvelope<
  'webhook.endpoint_failing' | 'webhook.endpoint_disabled',
  WebhookEndpoint
>

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

export interface Call {
  call_id: string
  status: 'queued' | 'in-progress' | 'completed' | 'failed'
  to: string
  agent_id: string
  scheduled_at?: string | undefined
  from_caller_id?: string | undefined
  language?: string | undefined
  metadata?: Record<string, JsonValue> | undefined
  duration_seconds?: number | undefined
  failure_reason?:
    | 'busy'
    | 'no-answer'
    | 'rejected'
    | 'unreachable'
    | 'canceled'
    | 'carrier-error'
    | 'agent-error'
    | 'interrupted'
    | undefined
  ended_by?: 'agent' | 'callee' | 'carrier' | 'duration_limit' | undefined
  livemode?: boolean | undefined
  carrier?: string | undefined
  created_at?: string | undefined
  ended_at?: string | undefined
}

export interface WebhookEndpoint {
  endpoint_id: string
  url: string
  events: WebhookEvent['type'][]
  livemode: boolean
  enabled: boolean
  disabled_reason: 'requested' | 'gone' | 'failing' | null
  disabled_at: string | null
  /** Time of the first failed attempt since the last success. */
  failing_since: string | null
  created_at: string
}

type Decision = 'pending' | 'approved' | 'review' | 'declined'

export interface Verification {
  verification_id: string
  decision: Decision
  status?: Decision | undefined
  /** 0 to 1, or null where it could not be told; absent where its check did not run. */
  scores: Partial<Record<ScoreName, number | null | undefined>>
  reasons?: Reason[] | undefined
  extracted?: Extracted | null | undefined
  model_used?: string | null | undefined
  external_id?: string | null | undefined
  livemode?: boolean | undefined
  created_at?: string | undefined
  decided_at?: string | null | undefined
}

type ScoreName =
  | 'document_quality'
  | 'document_authenticity'
  | 'ocr_confidence'
  | 'mrz_checks'
  | 'liveness'
  | 'face_match'
  | 'recapture'

export interface Reason {
  code: string
  check: string
  outcome: 'passed' | 'failed' | 'warning' | 'not_run'
  message: string
  next_step: string
  retryable: boolean
}

export interface Extracted {
  document_type?: string | null | undefined
  document_number?: string | null | undefined
  full_name?: string | null | undefined
  surname?: string | null | undefined
  given_names?: string | null | undefined
  date_of_birth?: string | null | undefined
  expiry_date?: string | null | undefined
  nationality?: string | null | undefined
  issuing_country?: string | null | undefined
  sex?: string | null | undefined
  mrz?: { format: string; lines: string[]; valid: boolean } | null | undefined
}
