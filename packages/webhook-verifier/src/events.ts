// Generated from the contracts by `pnpm generate`; do not edit.

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }

/** Any webhook event, discriminated by `type`. */
export type WebhookEvent = CallEvent | VerificationEvent | BatchEvent | DocumentEvent | WebhookEndpointEvent

export interface Batch {
  /** Id of a batch: `batch_` and a UUIDv7 in base 32. Sorts by creation time. */
  batch_id: string
  /** `completed` once every request has a result, whatever its status. `failed` if the window closed before. */
  status: 'queued' | 'running' | 'completed' | 'failed' | 'canceled'
  failure_reason: 'expired' | null
  endpoint:
    | '/v1/chat/completions'
    | '/v1/responses'
    | '/v1/completions'
    | '/v1/embeddings'
    | '/v1/moderations'
    | '/v1/audio/speech'
    | '/v1/engine/synthesize'
    | '/v1/ocr/process'
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** Requests of the batch, and how many of them ended with and without success. */
  counts: {
    total: number
    succeeded: number
    failed: number
  }
  created_at: string
  /** When the batch ended in any way; null before. */
  completed_at: string | null
  /** When the completion window closes. */
  expires_at: string
}

/** Sent to the callback URL of the batch and to subscribed endpoints when it has ended; `data` is the batch. */
export interface BatchEvent {
  /** Id of an event, the same if a restored server reports it again. */
  event_id: string
  type: 'batch.completed' | 'batch.failed' | 'batch.canceled'
  /** Time of the event; the same for every attempt. */
  created_at: string
  data: Batch
}

/** A phone call of a voice agent. */
export interface Call {
  /** Id of a call: `call_` and a UUIDv7 in base 32. Sorts by creation time. Not empty. */
  call_id: string
  /** `completed` and `failed` are terminal. */
  status: 'queued' | 'in-progress' | 'completed' | 'failed'
  /** Number that was called, in E.164. */
  to: string
  /** Id of the agent. */
  agent_id: string
  /** When to dial, as an ISO 8601 time with a UTC offset. */
  scheduled_at?: string | undefined
  /** Caller id shown to the recipient; present if one was given. Of an inbound call, the number of the caller as the phone line gives it, which proves nothing; absent if it is withheld. */
  from_caller_id?: string | undefined
  /** Language of the agent. */
  language?: string | undefined
  /** Free key-value pairs, echoed in reads and webhooks. They fill the placeholders in the agent’s words, which may then have up to 4096 characters. */
  metadata?: { [name: string]: JsonValue } | undefined
  /** When the phone began to ring; present while the call is `queued` and rings. */
  ringing_since?: string | undefined
  /** When the call was answered; absent until then. */
  answered_at?: string | undefined
  /** Seconds from answer to hang-up; present once an answered call has ended. */
  duration_seconds?: number | undefined
  /** Why the call failed; on failed calls only. */
  failure_reason?:
    | 'busy'
    | 'no-answer'
    | 'rejected'
    | 'unreachable'
    | 'canceled'
    | 'carrier-error'
    | 'agent-error'
    | 'interrupted'
    | 'do-not-call'
    | 'caller-id'
    | 'number-barred'
    | 'call-cap'
    | 'outside-hours'
    | undefined
  /** Which side ended the call; on answered calls that have ended. `duration_limit`: the longest call, or the operator’s caps left no further minute. */
  ended_by?: 'agent' | 'callee' | 'carrier' | 'duration_limit' | undefined
  /** Final SIP status of a call that was not answered, such as 486 for busy; absent if the carrier got none. A simulator reports the status that a phone line would have. 300 to 699. */
  sip_status?: number | undefined
  /** Q.850 cause that the telephone network gave for the end of the call; absent if it gave none. 0 to 127. */
  q850_cause?: number | undefined
  /** Quality of the audio; on answered calls that have ended, if the carrier measures it. */
  quality?: CallQuality | undefined
  /** Who called whom: `outbound` if the agent placed the call, `inbound` if it was called. An inbound call is `queued` while it rings here. */
  direction?: 'outbound' | 'inbound' | undefined
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode?: boolean | undefined
  /** Carrier of the call; with `simulator`, no phone rang. It may change until the phone rings, if the first takes no calls. */
  carrier?: string | undefined
  /** When the call was placed. */
  created_at?: string | undefined
  /** When the call ended; absent until then. */
  ended_at?: string | undefined
}

/** Sent to the account’s call webhook and subscribed endpoints on every status change; `data` is the call. */
export interface CallEvent {
  /** Id of an event, the same if a restored server reports it again. */
  event_id: string
  type: 'call.queued' | 'call.in_progress' | 'call.completed' | 'call.failed'
  /** Time of the event; the same for every attempt. */
  created_at: string
  data: Call
}

/** Quality of the audio of a call, from RTP and RTCP (RFC 3550). */
export interface CallQuality {
  /** Mean opinion score that the E-model of ITU-T G.107 estimates from loss and delay: 4 and more is good, and below 3.1 most listeners are dissatisfied. Absent if no packet arrived. 1 to 4.5. */
  mos?: number | undefined
  /** RTP packets that we sent. */
  packets_sent: number
  /** RTP packets that arrived; with 0, nothing of the recipient was heard. */
  packets_received: number
  /** Of the packets sent to us, the fraction that did not arrive; absent if none arrived. 0 to 1. */
  lost_fraction?: number | undefined
  /** Interarrival jitter of the packets sent to us, in milliseconds; absent if none arrived. */
  jitter_ms?: number | undefined
  /** Round trip to the far end and back, in milliseconds, if it was measured. */
  round_trip_ms?: number | undefined
  /** Of our packets, the fraction that did not arrive, if the far end reported it. 0 to 1. */
  remote_lost_fraction?: number | undefined
  /** Jitter of our packets, in milliseconds, if the far end reported it. */
  remote_jitter_ms?: number | undefined
}

/** Sent to subscribed endpoints when a document has ended, whether it was read or failed; `data` is the document without its pages. */
export interface DocumentEvent {
  /** Id of an event, the same if a restored server reports it again. */
  event_id: string
  type: 'document.completed'
  /** Time of the event; the same for every attempt. */
  created_at: string
  data: OcrDocument
}

/** Fields read from the document; a field that was not read is null. */
export interface Extracted {
  document_type?: string | null | undefined
  document_number?: string | null | undefined
  full_name?: string | null | undefined
  surname?: string | null | undefined
  given_names?: string | null | undefined
  date_of_birth?: string | null | undefined
  expiry_date?: string | null | undefined
  /** As the document has it: a code of ICAO Doc 9303, such as `D` for Germany. */
  nationality?: string | null | undefined
  /** The same as a code of ISO 3166-1, `DEU` for Germany; null if it has none, such as that of refugees. */
  nationality_iso?: string | null | undefined
  /** As the document has it, like `nationality`. */
  issuing_country?: string | null | undefined
  /** The same as a code of ISO 3166-1. */
  issuing_country_iso?: string | null | undefined
  sex?: string | null | undefined
  /** The machine-readable zone as read. */
  mrz?:
    | {
        format: string
        lines: string[]
        valid: boolean
      }
    | null
    | undefined
}

export interface OcrDocument {
  /** Id of a document: `doc_` and a UUIDv7 in base 32. Sorts by creation time. */
  document_id: string
  /** `completed` once every page was tried and at least one was read. `failed` if none was, or if the document was not read before it expired. */
  status: 'queued' | 'processing' | 'completed' | 'failed'
  failure_reason: 'unreadable' | 'expired' | null
  language: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** Pages of the document, and how many of them were read and could not be read. */
  counts: {
    /** At least 1. */
    total: number
    read: number
    unreadable: number
  }
  created_at: string
  /** When the document ended in any way; null before. */
  completed_at: string | null
  /** When the document and what was read of it are erased. */
  expires_at: string
}

export interface Reason {
  /** Machine-readable reason. */
  code: string
  /** Check that gave this reason; `review` if people decided. */
  check: string
  outcome: 'passed' | 'failed' | 'warning' | 'not_run'
  /** Explanation that is safe to show to the person. */
  message: string
  /** What the person can do next. */
  next_step: string
  /** Whether a new attempt can succeed. */
  retryable: boolean
  /** The texts in other languages, by code. Reasons of a review have them. */
  translations?:
    | {
        ne: {
          message: string
          next_step: string
        }
      }
    | undefined
}

/** Scores from 0 to 1. Null if a check could not determine one; absent until the check has run. */
export interface Scores {
  document_quality?: number | null | undefined
  document_authenticity?: number | null | undefined
  ocr_confidence?: number | null | undefined
  mrz_checks?: number | null | undefined
  liveness?: number | null | undefined
  face_match?: number | null | undefined
  recapture?: number | null | undefined
}

export interface Verification {
  /** Id of a verification: `ver_` and a UUIDv7 in base 32. Sorts by creation time. Not empty. */
  verification_id: string
  /** Current decision; `approved` and `declined` are final. */
  decision: 'pending' | 'approved' | 'review' | 'declined'
  /** The same as `decision`. */
  status?: 'pending' | 'approved' | 'review' | 'declined' | undefined
  scores: Scores
  /** Reasons for the decision, with next steps. */
  reasons?: Reason[] | undefined
  /** Whether the person should send it again, as the `next_step` of each reason says. If false in `review`, only a reviewer can decide it. */
  resubmit?: boolean | undefined
  /** OCR fields; null if there are none. Always null in the response to a submission. A read has them only with `include_media=extracted`, and webhooks of final decisions only if the account has `webhooks_include_extracted`; lists omit them. */
  extracted?: Extracted | null | undefined
  /** Models and policy that produced the result. */
  model_used?: string | null | undefined
  /** Your reference for the person; null if none was given, or once the person was erased. */
  external_id?: string | null | undefined
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode?: boolean | undefined
  created_at?: string | undefined
  /** When the final decision was made; null until then. */
  decided_at?: string | null | undefined
}

/** A final decision, or `verification.review`: the checks have ended without one. `data` is the verification. It has no `extracted`, which reading it with `include_media=extracted` returns, unless it is a final decision and the account has `webhooks_include_extracted`; it is then null if nothing was read, or once it was erased. Callback URLs get final decisions only. */
export interface VerificationEvent {
  /** Id of an event, the same if a restored server reports it again. */
  event_id: string
  type: 'verification.review' | 'verification.approved' | 'verification.declined'
  /** Time of the event; the same for every attempt. */
  created_at: string
  data: Verification
}

export interface WebhookEndpoint {
  /** Id of an endpoint: `whe_` and a UUIDv7 in base 32. Sorts by creation time. */
  endpoint_id: string
  /** URL that receives the deliveries. */
  url: string
  /** Types of events that the endpoint receives. Not empty. */
  events: (
    | 'call.queued'
    | 'call.in_progress'
    | 'call.completed'
    | 'call.failed'
    | 'verification.review'
    | 'verification.approved'
    | 'verification.declined'
    | 'document.completed'
    | 'batch.completed'
    | 'batch.failed'
    | 'batch.canceled'
    | 'webhook.endpoint_failing'
    | 'webhook.endpoint_disabled'
  )[]
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** Whether it receives events. While it is disabled, pending deliveries wait and new events skip it. */
  enabled: boolean
  /** `requested`: disabled by a request. `gone`: the endpoint returned 410. `failing`: every attempt failed for 5 days. Null while the endpoint is enabled. */
  disabled_reason: 'requested' | 'gone' | 'failing' | null
  /** When the endpoint was disabled; null while it is enabled. */
  disabled_at: string | null
  /** Time of the first failed attempt since the last success; null while the endpoint is not failing. */
  failing_since: string | null
  created_at: string
  /** Only of an endpoint that is read alone: until when its previous secret signs as well. */
  previous_secret_until?: string | undefined
}

/** An endpoint has been failing for days, or was disabled because it failed or returned 410; `data` is the endpoint. Sent to the other endpoints that subscribe to it, never to the endpoint itself. */
export interface WebhookEndpointEvent {
  /** Id of an event, the same if a restored server reports it again. */
  event_id: string
  type: 'webhook.endpoint_failing' | 'webhook.endpoint_disabled'
  /** Time of the event; the same for every attempt. */
  created_at: string
  data: WebhookEndpoint
}
