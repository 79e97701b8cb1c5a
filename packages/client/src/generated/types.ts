// Generated from the contracts by `pnpm generate`; do not edit.
import type { MediaSource } from '../media-source.ts'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }

export interface Account {
  /** Id of an account: `acct_` and a UUIDv7 in base 32. Sorts by creation time. */
  account_id: string
  /** 1 to 100 characters. */
  name: string
  /** Sets the rate limits. */
  tier: 'starter' | 'pro' | 'enterprise'
  /** Whether the account’s admin keys may manage other accounts. */
  operator: boolean
  /** Receives the events of calls placed with keys of this mode; each mode has its own URL. Requires a webhook secret of that mode, which `POST /webhooks/rotate-secret` creates. */
  call_webhook_url: string | null
  rate_overrides: RateOverrides
  /** Name of the policy that decides the account’s verifications; null uses the server’s. */
  identity_policy: string | null
  /** Days to keep the media of a verification after its decision; null uses the server’s setting. */
  media_retention_days: number | null
  /** Days to keep the recording of a call after the call has ended; null uses the server’s setting. */
  recording_retention_days: number | null
  /** Whether webhooks of final decisions have `extracted`: the fields read from the document. Applies to decisions made from then on; false also applies to deliveries that have not been sent yet. */
  webhooks_include_extracted: boolean
  created_at: string
}

export interface AddCallerIdRequest {
  /** Account to act on; defaults to the key’s own. Only an operator’s key may name another. */
  account_id?: string | undefined
  phone_number: string
}

export interface AddListedNumberRequest {
  /** Number that is not to be called, in E.164. */
  phone_number: string
  /** Why it is not to be called, in your own words. 1 to 200 characters. */
  reason?: string | undefined
}

export interface AddNoteRequest {
  /** For reviewers; never sent to the person. 1 to 2000 characters. */
  note: string
  /** Your reference for the person at work, such as a staff number. Omit it if each person has a key of their own. It is recorded. Where several people must agree, only a key with the scope `identity:vouch` speaks for several. 1 to 200 characters. */
  reviewer?: string | undefined
}

export interface Agent {
  /** Id of the agent. */
  agent_id: string
  /** 1 to 100 characters. */
  name: string
  /** Language of `greeting`. Up to 35 characters. */
  language: string
  /** Voice of the agent. 1 to 64 characters. */
  voice: string
  /** What the agent says. `{{name}}` is replaced with that field of the call’s metadata; `{{name|friend}}` defaults to `friend`. 1 to 2000 characters. */
  greeting: string
  /** The greeting in other languages, by language tag; the language of the call selects one. */
  translations: { [name: string]: string }
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
}

export interface AgentList {
  data: Agent[]
}

/** An API key without its secret. */
export interface ApiKey {
  /** Id of a key: `key_` and a UUIDv7 in base 32. Sorts by creation time. */
  key_id: string
  /** Id of an account: `acct_` and a UUIDv7 in base 32. Sorts by creation time. */
  account_id: string
  /** 1 to 100 characters. */
  name: string
  /** Permissions of the key. Not empty. */
  scopes: (
    | 'calls:write'
    | 'calls:read'
    | 'speech:write'
    | 'voices:write'
    | 'identity:write'
    | 'identity:read'
    | 'identity:review'
    | 'identity:vouch'
    | 'models:use'
    | 'batch:write'
    | 'deploy:write'
    | 'do_not_call:write'
    | 'do_not_call:read'
    | 'admin'
  )[]
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** First characters of the key, to tell keys apart. */
  hint: string
  created_at: string
  /** When the key was revoked; null while it is valid. */
  revoked_at: string | null
}

export interface AskAgainRequest {
  /** What is needed again. */
  artifact: 'front_image' | 'back_image' | 'liveness_video' | 'reference_portrait'
  /** What is wrong with it, for the person. */
  problem: 'blurred' | 'glare' | 'too_dark' | 'cut_off' | 'covered' | 'wrong_picture' | 'missing'
  /** Internal note for reviewers; never sent to the person. 1 to 2000 characters. */
  note?: string | undefined
  /** Your reference for the person at work, such as a staff number. Omit it if each person has a key of their own. It is recorded. Where several people must agree, only a key with the scope `identity:vouch` speaks for several. 1 to 200 characters. */
  reviewer?: string | undefined
}

export interface AuditEntry {
  /** Id of an audit: `aud_` and a UUIDv7 in base 32. Sorts by creation time. */
  entry_id: string
  /** A change of keys or members, or the operation of a request that a page of the console made: each one that changed something, and each look at personal data, at most once in ten minutes. */
  action: string
  /** Id of what was changed or looked at, if it is one object. */
  object_id: string | null
  /** Who did it; null for a person at the machine of the server. */
  key_id: string | null
  /** Name of the member or the key. */
  name: string
  created_at: string
}

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

export interface BatchRequest {
  /** Your id for the request, unique in the batch; its result repeats it. 1 to 64 characters. */
  custom_id: string
  /** Body of a request to `endpoint`, which must not ask for a stream. */
  body: { [name: string]: JsonValue }
  method?: 'POST' | undefined
  /** As in batch files of OpenAI: `endpoint`. */
  url?:
    | '/v1/chat/completions'
    | '/v1/responses'
    | '/v1/completions'
    | '/v1/embeddings'
    | '/v1/moderations'
    | '/v1/audio/speech'
    | '/v1/engine/synthesize'
    | '/v1/ocr/process'
    | undefined
}

export interface BatchResult {
  /** Your id for the request. */
  custom_id: string
  /** HTTP status of the response. */
  status: number
  /** Body of the response. Audio that is no JSON becomes `{content_type, audio_b64}` with the file as base64. */
  body: JsonValue
}

/** In pixels from the top left of the upright page. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
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

/** What was heard in a call, in the order in which it began. */
export interface CallTranscript {
  /** Id of a call: `call_` and a UUIDv7 in base 32. Sorts by creation time. Not empty. */
  call_id: string
  turns: CallTurn[]
}

export interface CallTurn {
  /** Who spoke; so far, only the words of the agent are written down. */
  speaker: 'agent' | 'person'
  /** Language of the words. */
  language: string
  /** What was heard of it, as it was written, without markup. */
  text: string
  /** When it began, in milliseconds from the answer, as in the recording. */
  start_ms: number
  /** When it was last heard. */
  end_ms: number
  words: {
    /** With the punctuation and the space around it, so that all of them together are the text of the turn. It may be a whole sentence of an engine that does not report when it says a word. */
    text: string
    /** When it began. */
    start_ms: number
  }[]
  /** What cut it short; absent if it was said to its end. The last word may then be incomplete. */
  cut_by?: 'agent' | 'callee' | 'carrier' | 'duration_limit' | undefined
}

/** A phone number that the operator has verified as belonging to the account. */
export interface CallerId {
  /** Id of a caller id: `cid_` and a UUIDv7 in base 32. Sorts by creation time. */
  caller_id_id: string
  /** Id of an account: `acct_` and a UUIDv7 in base 32. Sorts by creation time. */
  account_id: string
  phone_number: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  verified_at: string
}

/** At most `limit` in a UTC day. */
export interface CapUse {
  name: 'line_minutes' | 'line_spend' | 'attempts_per_number'
  /** ISO 4217 code of what `line_spend` counts. */
  currency?: string | undefined
  /** Minutes, each counted when it begins; money; or calls. */
  limit: number
  /** Null if each number is counted by itself. */
  used: number | null
  /** Seconds until the next UTC day. */
  reset_seconds: number
}

export interface ChatCompletion {
  id: string
  object: 'chat.completion'
  /** Seconds since the epoch. */
  created: number
  /** The name that the request used. */
  model: string
  choices: {
    index: number
    message: {
      role: 'assistant'
      content?: string | null | undefined
      refusal?: string | null | undefined
      tool_calls?:
        | {
            id: string
            /** `function`, or `custom` with its input in `custom`. */
            type: string
            function?:
              | {
                  name: string
                  arguments: string
                  [name: string]: unknown
                }
              | undefined
            [name: string]: unknown
          }[]
        | null
        | undefined
      [name: string]: unknown
    }
    finish_reason: string | null
    logprobs?:
      | {
          content?:
            | {
                token: string
                logprob: number
                top_logprobs?:
                  | {
                      token: string
                      logprob: number
                      [name: string]: unknown
                    }[]
                  | undefined
                [name: string]: unknown
              }[]
            | null
            | undefined
          [name: string]: unknown
        }
      | null
      | undefined
    [name: string]: unknown
  }[]
  usage?: Usage | null | undefined
  [name: string]: unknown
}

export interface ChatCompletionChunk {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  /** Empty in the last chunk if the request has `stream_options.include_usage`. */
  choices: {
    index: number
    delta: {
      role?: string | null | undefined
      content?: string | null | undefined
      refusal?: string | null | undefined
      tool_calls?:
        | {
            index: number
            id?: string | null | undefined
            type?: string | null | undefined
            function?:
              | {
                  name?: string | null | undefined
                  arguments?: string | null | undefined
                  [name: string]: unknown
                }
              | null
              | undefined
            [name: string]: unknown
          }[]
        | null
        | undefined
      [name: string]: unknown
    }
    finish_reason?: string | null | undefined
    logprobs?:
      | {
          content?:
            | {
                token: string
                logprob: number
                top_logprobs?:
                  | {
                      token: string
                      logprob: number
                      [name: string]: unknown
                    }[]
                  | undefined
                [name: string]: unknown
              }[]
            | null
            | undefined
          [name: string]: unknown
        }
      | null
      | undefined
    [name: string]: unknown
  }[]
  usage?: Usage | null | undefined
  [name: string]: unknown
}

export interface ChatCompletionRequest {
  /** 1 to 200 characters. */
  model: string
  /** Not empty. */
  messages: (
    | {
        role: 'system'
        content:
          | string
          | {
              type: string
              [name: string]: unknown
            }[]
        [name: string]: unknown
      }
    | {
        role: 'developer'
        content:
          | string
          | {
              type: string
              [name: string]: unknown
            }[]
        [name: string]: unknown
      }
    | {
        role: 'user'
        content:
          | string
          | {
              type: string
              [name: string]: unknown
            }[]
        [name: string]: unknown
      }
    | {
        role: 'assistant'
        content?:
          | string
          | {
              type: string
              [name: string]: unknown
            }[]
          | null
          | undefined
        refusal?: string | null | undefined
        tool_calls?:
          | (
              | {
                  id: string
                  type: 'function'
                  function: {
                    name: string
                    arguments: string
                    [name: string]: unknown
                  }
                  [name: string]: unknown
                }
              | {
                  id: string
                  type: 'custom'
                  custom: {
                    name: string
                    input: string
                    [name: string]: unknown
                  }
                  [name: string]: unknown
                }
            )[]
          | undefined
        [name: string]: unknown
      }
    | {
        role: 'tool'
        content:
          | string
          | {
              type: string
              [name: string]: unknown
            }[]
        tool_call_id: string
        [name: string]: unknown
      }
  )[]
  tools?:
    | (
        | {
            type: 'function'
            function: {
              /** 1 to 64 characters. */
              name: string
              description?: string | undefined
              parameters?: { [name: string]: JsonValue } | undefined
              strict?: boolean | null | undefined
              [name: string]: unknown
            }
            [name: string]: unknown
          }
        | {
            type: 'custom'
            custom: {
              /** 1 to 64 characters. */
              name: string
              description?: string | undefined
              [name: string]: unknown
            }
            [name: string]: unknown
          }
      )[]
    | undefined
  tool_choice?:
    | 'none'
    | 'auto'
    | 'required'
    | {
        type: string
        [name: string]: unknown
      }
    | undefined
  parallel_tool_calls?: boolean | undefined
  response_format?:
    | {
        type: 'text'
        [name: string]: unknown
      }
    | {
        type: 'json_object'
        [name: string]: unknown
      }
    | {
        type: 'json_schema'
        json_schema: {
          name: string
          schema?: { [name: string]: JsonValue } | undefined
          strict?: boolean | null | undefined
          [name: string]: unknown
        }
        [name: string]: unknown
      }
    | undefined
  stream?: boolean | null | undefined
  stream_options?:
    | {
        include_usage?: boolean | undefined
        [name: string]: unknown
      }
    | null
    | undefined
  temperature?: number | null | undefined
  top_p?: number | null | undefined
  max_tokens?: number | null | undefined
  max_completion_tokens?: number | null | undefined
  n?: number | null | undefined
  logprobs?: boolean | null | undefined
  top_logprobs?: number | null | undefined
  frequency_penalty?: number | null | undefined
  presence_penalty?: number | null | undefined
  stop?: string | string[] | null | undefined
  seed?: number | null | undefined
  user?: string | undefined
  [name: string]: unknown
}

/** Result of one check. */
export interface CheckResult {
  check: string
  outcome: 'passed' | 'failed' | 'warning' | 'not_run'
  code: string
  score: number | null
  /** What was measured, beside the thresholds that it was compared with. */
  evidence: { [name: string]: number | string | boolean }
  /** Where it found what it judged; missing if it judges no place. */
  places?: Place[] | undefined
  /** Model or method, with its version. */
  model: string | null
}

export interface ClaimedReview {
  /** Null if no review is waiting. */
  review: Review | null
}

/** Also each `data:` line of a stream, before `[DONE]`. */
export interface Completion {
  object: string
  /** The name that the request used. */
  model: string
  choices: {
    text: string
    finish_reason?: string | null | undefined
    [name: string]: unknown
  }[]
  usage?: Usage | null | undefined
  [name: string]: unknown
}

export interface CompletionRequest {
  /** 1 to 200 characters. */
  model: string
  prompt: string | string[] | number[] | number[][]
  max_tokens?: number | null | undefined
  stream?: boolean | null | undefined
  stream_options?:
    | {
        include_usage?: boolean | undefined
        [name: string]: unknown
      }
    | null
    | undefined
  [name: string]: unknown
}

/** At most `limit` at a time. */
export interface ConcurrencyUse {
  name:
    | 'waiting_calls'
    | 'concurrent_streams'
    | 'pending_verifications'
    | 'unfinished_documents'
    | 'unfinished_batches'
  /** At least 1. */
  limit: number
  /** Counted up to the limit. Batches of `POST /v1/batch` and of `POST /v1/batches` are counted apart; this is the larger number. */
  used: number
}

/** At most `limit` in an account and mode. */
export interface CountUse {
  name:
    | 'scheduled_calls'
    | 'agents'
    | 'lexicons'
    | 'voices'
    | 'stored_files'
    | 'deployments'
    | 'members'
    | 'endpoints'
    | 'keys'
  /** At least 1. */
  limit: number
  /** Counted up to the limit. `members` counts both modes. */
  used: number
}

export interface CreateAccountRequest {
  /** 1 to 100 characters. */
  name: string
  /** Sets the rate limits. Default: `"starter"`. */
  tier?: 'starter' | 'pro' | 'enterprise' | undefined
  /** Receives the events of calls placed with keys of the requesting key’s mode. Default: `null`. */
  call_webhook_url?: string | null | undefined
  /** Default: `{}`. */
  rate_overrides?: SetRateOverrides | undefined
  /** Name of the policy that decides the account’s verifications; null uses the server’s. Default: `null`. */
  identity_policy?: string | null | undefined
  /** Days to keep the media of a verification after its decision; null uses the server’s setting. Default: `null`. */
  media_retention_days?: number | null | undefined
  /** Days to keep the recording of a call after the call has ended; null uses the server’s setting. Default: `null`. */
  recording_retention_days?: number | null | undefined
  /** Whether webhooks of final decisions have `extracted`: the fields read from the document. Applies to decisions made from then on; false also applies to deliveries that have not been sent yet. Default: `false`. */
  webhooks_include_extracted?: boolean | undefined
}

export interface CreateBatchRequest {
  /** Path that every request of the batch calls. */
  endpoint:
    | '/v1/chat/completions'
    | '/v1/responses'
    | '/v1/completions'
    | '/v1/embeddings'
    | '/v1/moderations'
    | '/v1/audio/speech'
    | '/v1/engine/synthesize'
    | '/v1/ocr/process'
  /** They are read as they arrive, so `endpoint` must come before them. 1 to 10000 entries. */
  requests: BatchRequest[]
  /** Time after which the batch fails, if requests are left then. Default: `"24h"`. */
  completion_window?: '1h' | '24h' | undefined
  /** Up to 2048 characters. */
  callback_url?: string | undefined
}

export interface CreateKeyRequest {
  /** Account to act on; defaults to the key’s own. Only an operator’s key may name another. */
  account_id?: string | undefined
  /** 1 to 100 characters. */
  name: string
  /** Permissions of the key. Not empty. */
  scopes: (
    | 'calls:write'
    | 'calls:read'
    | 'speech:write'
    | 'voices:write'
    | 'identity:write'
    | 'identity:read'
    | 'identity:review'
    | 'identity:vouch'
    | 'models:use'
    | 'batch:write'
    | 'deploy:write'
    | 'do_not_call:write'
    | 'do_not_call:read'
    | 'admin'
  )[]
  /** Mode of the new key; defaults to the mode of the requesting key. A test key can create only test keys. */
  livemode?: boolean | undefined
}

export interface CreateStoredBatch {
  input_file_id: string
  /** 1 to 200 characters. */
  endpoint: string
  /** 1 to 20 characters. */
  completion_window: string
  [name: string]: unknown
}

export interface CreateWebhookEndpointRequest {
  /** URL that receives the deliveries. Up to 2048 characters. */
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
}

export interface CreatedAccount {
  /** Id of an account: `acct_` and a UUIDv7 in base 32. Sorts by creation time. */
  account_id: string
  /** 1 to 100 characters. */
  name: string
  /** Sets the rate limits. */
  tier: 'starter' | 'pro' | 'enterprise'
  /** Whether the account’s admin keys may manage other accounts. */
  operator: boolean
  /** Receives the events of calls placed with keys of this mode; each mode has its own URL. Requires a webhook secret of that mode, which `POST /webhooks/rotate-secret` creates. */
  call_webhook_url: string | null
  rate_overrides: RateOverrides
  /** Name of the policy that decides the account’s verifications; null uses the server’s. */
  identity_policy: string | null
  /** Days to keep the media of a verification after its decision; null uses the server’s setting. */
  media_retention_days: number | null
  /** Days to keep the recording of a call after the call has ended; null uses the server’s setting. */
  recording_retention_days: number | null
  /** Whether webhooks of final decisions have `extracted`: the fields read from the document. Applies to decisions made from then on; false also applies to deliveries that have not been sent yet. */
  webhooks_include_extracted: boolean
  created_at: string
  /** Signs deliveries to callback URLs and to the call webhook, in the mode of the requesting key. Shown only once. */
  webhook_secret: string
}

export interface CreatedApiKey {
  /** Id of a key: `key_` and a UUIDv7 in base 32. Sorts by creation time. */
  key_id: string
  /** Id of an account: `acct_` and a UUIDv7 in base 32. Sorts by creation time. */
  account_id: string
  /** 1 to 100 characters. */
  name: string
  /** Permissions of the key. Not empty. */
  scopes: (
    | 'calls:write'
    | 'calls:read'
    | 'speech:write'
    | 'voices:write'
    | 'identity:write'
    | 'identity:read'
    | 'identity:review'
    | 'identity:vouch'
    | 'models:use'
    | 'batch:write'
    | 'deploy:write'
    | 'do_not_call:write'
    | 'do_not_call:read'
    | 'admin'
  )[]
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** First characters of the key, to tell keys apart. */
  hint: string
  created_at: string
  /** When the key was revoked; null while it is valid. */
  revoked_at: string | null
  /** The key itself; shown only once. */
  key: string
}

export interface CreatedDeployment {
  /** Id of a deployment: `dep_` and a UUIDv7 in base 32. Sorts by creation time. */
  deployment_id: string
  status: 'ready' | 'revoked'
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  name: string
  base_model: 'synth-v1' | 'synth-l1' | 'synth-l2'
  target: 'docker' | 'kubernetes'
  /** At least 1. */
  replicas: number
  /** Every model that the license includes. */
  models: string[]
  /** Servers that may answer requests at a time. At least 1. */
  seats: number
  created_at: string
  expires_at: string
  revoked_at: string | null
  /** Ed25519 JWT with expiry, models and seats; use it as the Bearer token on premise. */
  license: string
  /** Compose file or Kubernetes manifest that runs the server. It contains the license. */
  manifest: string
}

export interface DeployRequest {
  /** Name of the deployment, and of everything in its manifest. */
  name: string
  /** Model that the license includes in any case. */
  base_model: 'synth-v1' | 'synth-l1' | 'synth-l2'
  target: 'docker' | 'kubernetes'
  /** Servers that the manifest starts. 1 to 100. Default: `1`. */
  replicas?: number | undefined
  /** Default: `{}`. */
  options?:
    | {
        /** Days until the license expires. 1 to 3650. Default: `365`. */
        expires_in_days?: number | undefined
        /** Servers that may answer requests at a time; by default as many as `replicas`. 1 to 1000. */
        seats?: number | undefined
        /** Models that the license includes besides `base_model`. Up to 30 entries. Default: `[]`. */
        models?: string[] | undefined
      }
    | undefined
}

/** A deployment without its license. */
export interface Deployment {
  /** Id of a deployment: `dep_` and a UUIDv7 in base 32. Sorts by creation time. */
  deployment_id: string
  status: 'ready' | 'revoked'
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  name: string
  base_model: 'synth-v1' | 'synth-l1' | 'synth-l2'
  target: 'docker' | 'kubernetes'
  /** At least 1. */
  replicas: number
  /** Every model that the license includes. */
  models: string[]
  /** Servers that may answer requests at a time. At least 1. */
  seats: number
  created_at: string
  expires_at: string
  revoked_at: string | null
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

export interface EmbeddingList {
  object: string
  /** The name that the request used. */
  model: string
  data: {
    index: number
    /** Numbers, or base64 of 32-bit floats if the request asked for it. */
    embedding: number[] | string
    [name: string]: unknown
  }[]
  usage?:
    | {
        prompt_tokens: number
        [name: string]: unknown
      }
    | null
    | undefined
  [name: string]: unknown
}

export interface EmbeddingRequest {
  /** 1 to 200 characters. */
  model: string
  /** One text or several, also as tokens. */
  input: string | string[] | number[] | number[][]
  /** At least 1. */
  dimensions?: number | undefined
  encoding_format?: 'float' | 'base64' | undefined
  [name: string]: unknown
}

export interface EngineLanguages {
  /** Id of the running engine; `router` if several engines share the languages. */
  engine: string
  data: {
    language: string
    /** `native`; `fallback`: spoken with a neighbouring accent; `degraded`: parts are misread. */
    quality: 'native' | 'fallback' | 'degraded'
    /** What is missing, if the quality is not `native`. */
    note?: string | undefined
    /** Whether numbers, dates, amounts, units and abbreviations are put into words by rules of the language. Where they are not, the engine reads them in its own way. */
    text_rules: boolean
    /** Name of the engine that speaks the language, if several engines share the languages. Another one may speak while it is unavailable. */
    engine?: string | undefined
    /** Voices that speak the language, if not all do. */
    voices?: string[] | undefined
  }[]
}

export type EngineSocketClientMessage =
  | {
      type: 'speak'
      /** A piece of the text, split between any two characters. Markup in it is never obeyed; see `markup`. Up to 4096 characters. */
      text: string
      /** Emotion of the phrases that begin in this text. */
      emotion?: 'neutral' | 'friendly' | 'professional' | 'excited' | 'calm' | 'warm' | undefined
      /** Rate of the phrases that begin in this text. 0.5 to 2. */
      speed?: number | undefined
    }
  | {
      type: 'emotion'
      /** Emotion of the voice; changes its pitch, pitch range, rate and energy. */
      emotion: 'neutral' | 'friendly' | 'professional' | 'excited' | 'calm' | 'warm'
    }
  | {
      type: 'flush'
    }
  | {
      type: 'cancel'
    }
  | {
      type: 'end'
    }

export type EngineSocketServerMessage =
  | {
      type: 'started'
      descriptor: StreamDescriptor
    }
  | {
      type: 'mark'
      /** What begins here. Word marks come only from engines that tell when they say a word, as the embedded one does. */
      kind: 'phrase' | 'word'
      /** The words as they were written, without markup that was left out: `$12.50`, which is spoken as five words, is one mark. */
      text: string
      /** Place in the audio of the session, in milliseconds; counts what was sent, also before a `cancel`. */
      at_ms: number
    }
  | {
      type: 'flushed'
    }
  | {
      type: 'canceled'
      /** Place in the audio of the session at which the next audio begins. */
      at_ms: number
    }
  | {
      type: 'error'
      code:
        | 'invalid_request'
        | 'text_too_long'
        | 'request_timeout'
        | 'rate_limit_exceeded'
        | 'internal_error'
        | 'service_unavailable'
      /** Explanation for the developer; its wording may change. */
      message: string
      /** Whether the same session may succeed later. */
      retryable: boolean
    }
  | {
      type: 'ended'
      duration_ms: number
    }

export interface EngineStreamRequest {
  /** `synth-v1` is high-fidelity and multilingual, `synth-l1` lightweight and `synth-l2` ultra-lightweight. */
  model: 'synth-v1' | 'synth-l1' | 'synth-l2'
  /** Text to speak. Markup in it is never obeyed; see `markup`. 1 to 4096 characters. */
  input: string
  /** `default`, `alt1`, `alt2` or the id of a cloned voice. 1 to 64 characters. Default: `"default"`. */
  voice?: string | undefined
  /** Emotion of the voice; changes its pitch, pitch range, rate and energy. Default: `"neutral"`. */
  emotion?: 'neutral' | 'friendly' | 'professional' | 'excited' | 'calm' | 'warm' | undefined
  /** Rate of speech. 0.5 to 2. Default: `1`. */
  speed?: number | undefined
  /** Language of the text. Up to 35 characters. Default: `"en-US"`. */
  language?: string | undefined
  /** `strip` leaves out the signs of Markdown, its blocks of code and the commands of LaTeX; `keep` speaks them as text. All other markup, such as SSML, is always text. Default: `"keep"`. */
  markup?: 'keep' | 'strip' | undefined
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

export interface Health {
  status: 'ok'
}

export interface ImageList {
  /** The name that the request used. */
  model: string
  data: {
    url?: string | null | undefined
    b64_json?: string | null | undefined
    [name: string]: unknown
  }[]
  [name: string]: unknown
}

export interface ImageRequest {
  /** 1 to 200 characters. */
  model: string
  /** Not empty. */
  prompt: string
  n?: number | null | undefined
  stream?: false | null | undefined
  [name: string]: unknown
}

export interface ImportListedNumbersRequest {
  /** A CSV file of at most 10000 lines. Not empty. */
  csv: string
  /** Why those are not to be called whose line gives no reason. 1 to 200 characters. */
  reason?: string | undefined
}

export interface InviteAgainRequest {
  reset?: boolean | undefined
}

export interface InviteMemberRequest {
  /** Account to act on; defaults to the key’s own. Only an operator’s key may name another. */
  account_id?: string | undefined
  /** How colleagues see the member, in reviews too. 1 to 100 characters. */
  name: string
  /** `owner`: everything; `developer`: all but members, keys and reviews; `reviewer`: reviews, and reading verifications; `viewer`: reading. */
  role: 'owner' | 'developer' | 'reviewer' | 'viewer'
  /** Defaults to the mode of the request. */
  livemode?: boolean | undefined
}

export interface InvitedMember {
  /** Id of a member: `mem_` and a UUIDv7 in base 32. Sorts by creation time. */
  member_id: string
  /** Id of an account: `acct_` and a UUIDv7 in base 32. Sorts by creation time. */
  account_id: string
  /** How colleagues see the member, in reviews too. 1 to 100 characters. */
  name: string
  /** `owner`: everything; `developer`: all but members, keys and reviews; `reviewer`: reviews, and reading verifications; `viewer`: reading. */
  role: 'owner' | 'developer' | 'reviewer' | 'viewer'
  /** Whether the member may work in live mode too. Only a live key or session may change such a member. */
  livemode: boolean
  /** `invited` until the member has a way to sign in. */
  status: 'invited' | 'active' | 'removed'
  /** Names the member as `key_id` in what they do in test mode. */
  test_key_id: string
  /** Likewise in live mode; null if they never could. */
  live_key_id: string | null
  /** Null without an open invitation. */
  invitation_expires_at: string | null
  /** Null before the first time. */
  signed_in_at: string | null
  created_at: string
  /** Null for a member who was not removed. */
  removed_at: string | null
  /** Opens `/console/#invitation=…`, where the member sets up a way to sign in: once, within 7 days. Shown only once. */
  invitation: string
}

/** How terms of an account are spoken in a language. */
export interface Lexicon {
  /** Language of the terms. Up to 35 characters. */
  language: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** Digest of the entries: the same for the same entries in the same order. */
  version: string
  updated_at: string
  entries: LexiconEntry[]
}

export interface LexiconEntry {
  /** Word or phrase as it is written, with a letter or a digit. Matches whole words in any case; the longest term wins, and of equal terms the last. 1 to 100 characters. */
  term: string
  /** What is spoken instead, as text of the language; empty to leave the term out. Up to 200 characters. */
  spoken_as: string
}

export interface LexiconList {
  data: {
    /** Language of the terms. Up to 35 characters. */
    language: string
    /** True in live mode, false in test mode. Keys of the other mode get 404. */
    livemode: boolean
    /** At least 1. */
    entry_count: number
    /** Digest of the entries: the same for the same entries in the same order. */
    version: string
    updated_at: string
  }[]
}

/** The keys that sign licenses, the current one first. */
export interface LicenseIssuer {
  data: {
    /** Ed25519 public key in base64url, for `VAANI_LICENSE_ISSUER_KEY`. */
    public_key: string
    /** JWS under this key of the revoked licenses that have not expired. */
    revocations: string
  }[]
}

/** What a key and its account use of their limits. */
export interface LimitUse {
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  tier: 'starter' | 'pro' | 'enterprise'
  /** Whether `rates` and `concurrent_streams` are counted across all processes of the server. If not, because it runs without Redis or Redis is away, they are what the process that answers knows of. */
  shared: boolean
  /** Limits of operations that the tier does not include are left out. */
  rates: RateUse[]
  concurrency: ConcurrencyUse[]
  counts: CountUse[]
  /** What the operator lets the account use of phone lines in a day, in both modes together. Simulators are not counted. */
  caps: CapUse[]
}

/** A number on a do-not-call list. */
export interface ListedNumber {
  /** Id of a listed number: `dnc_` and a UUIDv7 in base 32. Sorts by creation time. */
  listed_number_id: string
  /** Mode whose calls it stops; null on the list of the server, which stops those of both modes. */
  livemode: boolean | null
  /** In E.164. */
  phone_number: string
  /** Why it is not to be called, if that was given. */
  reason: string | null
  /** How it came onto the list. */
  source: 'added' | 'imported'
  created_at: string
}

export interface ListedNumbersImport {
  added: number
  /** Numbers that were on the list before, or earlier in the file. */
  already_listed: number
  /** Lines that were not imported. */
  refused: number
  /** The first 1000 lines that were refused, and why. */
  errors: {
    /** Number of the line, from 1, as an editor shows it. At least 1. */
    line: number
    problem:
      | 'no_number'
      | 'no_country_code'
      | 'invalid_number'
      | 'rounded_number'
      | 'long_reason'
      | 'wrong_quotes'
  }[]
}

export interface Member {
  /** Id of a member: `mem_` and a UUIDv7 in base 32. Sorts by creation time. */
  member_id: string
  /** Id of an account: `acct_` and a UUIDv7 in base 32. Sorts by creation time. */
  account_id: string
  /** How colleagues see the member, in reviews too. 1 to 100 characters. */
  name: string
  /** `owner`: everything; `developer`: all but members, keys and reviews; `reviewer`: reviews, and reading verifications; `viewer`: reading. */
  role: 'owner' | 'developer' | 'reviewer' | 'viewer'
  /** Whether the member may work in live mode too. Only a live key or session may change such a member. */
  livemode: boolean
  /** `invited` until the member has a way to sign in. */
  status: 'invited' | 'active' | 'removed'
  /** Names the member as `key_id` in what they do in test mode. */
  test_key_id: string
  /** Likewise in live mode; null if they never could. */
  live_key_id: string | null
  /** Null without an open invitation. */
  invitation_expires_at: string | null
  /** Null before the first time. */
  signed_in_at: string | null
  created_at: string
  /** Null for a member who was not removed. */
  removed_at: string | null
}

export interface Model {
  /** Name for `model` in requests. */
  id: string
  object: 'model'
  /** Seconds since the epoch: when the server that answers began to offer the model. */
  created: number
  /** `vaani` for models of the server itself. */
  owned_by: string
}

export interface ModelList {
  object: 'list'
  data: Model[]
}

/** Also repeats the settings of the request. */
export interface ModelResponse {
  id: string
  object: 'response'
  /** Seconds since the epoch. */
  created_at: number
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  /** The name that the request used. */
  model: string
  output: ModelResponseItem[]
  error: {
    code: string
    message: string
    [name: string]: unknown
  } | null
  incomplete_details: {
    reason: 'max_output_tokens' | 'content_filter'
    [name: string]: unknown
  } | null
  store: false
  /** Null if the model does not report it. */
  usage: ModelResponseUsage | null
  [name: string]: unknown
}

export type ModelResponseEvent =
  | {
      type:
        | 'response.created'
        | 'response.in_progress'
        | 'response.completed'
        | 'response.incomplete'
        | 'response.failed'
      sequence_number: number
      response: ModelResponse
      [name: string]: unknown
    }
  | {
      type: 'response.output_item.added' | 'response.output_item.done'
      sequence_number: number
      output_index: number
      item: ModelResponseItem
      [name: string]: unknown
    }
  | {
      type: 'response.content_part.added' | 'response.content_part.done'
      sequence_number: number
      output_index: number
      item_id: string
      content_index: number
      part: {
        type: string
        [name: string]: unknown
      }
      [name: string]: unknown
    }
  | {
      type: 'response.output_text.delta' | 'response.refusal.delta'
      sequence_number: number
      output_index: number
      item_id: string
      content_index: number
      delta: string
      [name: string]: unknown
    }
  | {
      type: 'response.output_text.done'
      sequence_number: number
      output_index: number
      item_id: string
      content_index: number
      text: string
      [name: string]: unknown
    }
  | {
      type: 'response.refusal.done'
      sequence_number: number
      output_index: number
      item_id: string
      content_index: number
      refusal: string
      [name: string]: unknown
    }
  | {
      type: 'response.function_call_arguments.delta'
      sequence_number: number
      output_index: number
      item_id: string
      delta: string
      [name: string]: unknown
    }
  | {
      type: 'response.function_call_arguments.done'
      sequence_number: number
      output_index: number
      item_id: string
      arguments: string
      [name: string]: unknown
    }
  | {
      type: 'error'
      sequence_number: number
      code: string | null
      message: string
      param: string | null
      [name: string]: unknown
    }

export type ModelResponseInputItem =
  | {
      type?: 'message' | undefined
      role: 'user' | 'assistant' | 'system' | 'developer'
      content:
        | string
        | (
            | {
                type: 'input_text'
                text: string
                [name: string]: unknown
              }
            | {
                type: 'output_text'
                text: string
                [name: string]: unknown
              }
            | {
                type: 'refusal'
                refusal: string
                [name: string]: unknown
              }
            | {
                type: 'input_image'
                /** Not supported: must be null: files are not stored here, so send the content. */
                file_id?: null | undefined
                /** A URL, which may hold the image itself: `data:image/png;base64,…` */
                image_url: string
                detail?: string | null | undefined
                [name: string]: unknown
              }
            | {
                type: 'input_file'
                /** Not supported: must be null: files are not stored here, so send the content. */
                file_id?: null | undefined
                /** Not supported: must be null: addresses of files are not fetched here, so send file_data. */
                file_url?: null | undefined
                /** The file in base64, as a `data:` URL. */
                file_data: string
                filename?: string | null | undefined
                [name: string]: unknown
              }
          )[]
      [name: string]: unknown
    }
  | {
      type: 'function_call'
      call_id: string
      name: string
      arguments: string
      [name: string]: unknown
    }
  | {
      type: 'function_call_output'
      call_id: string
      output:
        | string
        | (
            | {
                type: 'input_text'
                text: string
                [name: string]: unknown
              }
            | {
                type: 'input_image'
                /** Not supported: must be null: files are not stored here, so send the content. */
                file_id?: null | undefined
                /** A URL, which may hold the image itself: `data:image/png;base64,…` */
                image_url: string
                detail?: string | null | undefined
                [name: string]: unknown
              }
            | {
                type: 'input_file'
                /** Not supported: must be null: files are not stored here, so send the content. */
                file_id?: null | undefined
                /** Not supported: must be null: addresses of files are not fetched here, so send file_data. */
                file_url?: null | undefined
                /** The file in base64, as a `data:` URL. */
                file_data: string
                filename?: string | null | undefined
                [name: string]: unknown
              }
          )[]
      [name: string]: unknown
    }
  | {
      type: 'reasoning'
      [name: string]: unknown
    }
  | {
      type: 'item_reference'
      [name: string]: unknown
    }

export type ModelResponseItem =
  | {
      type: 'message'
      id: string
      status: 'in_progress' | 'completed' | 'incomplete'
      role: 'assistant'
      content: (
        | {
            type: 'output_text'
            text: string
            annotations: JsonValue[]
            [name: string]: unknown
          }
        | {
            type: 'refusal'
            refusal: string
            [name: string]: unknown
          }
      )[]
      [name: string]: unknown
    }
  | {
      type: 'function_call'
      id: string
      status: 'in_progress' | 'completed' | 'incomplete'
      call_id: string
      name: string
      /** JSON, as the model wrote it. */
      arguments: string
      [name: string]: unknown
    }

export interface ModelResponseRequest {
  /** 1 to 200 characters. */
  model: string
  /** Text of the user, or all items of the conversation, oldest first. */
  input: string | ModelResponseInputItem[]
  /** What the model reads before the input. */
  instructions?: string | null | undefined
  tools?:
    | {
        type: 'function'
        /** 1 to 64 characters. */
        name: string
        description?: string | null | undefined
        parameters?: { [name: string]: JsonValue } | null | undefined
        strict?: boolean | null | undefined
        [name: string]: unknown
      }[]
    | null
    | undefined
  tool_choice?:
    | 'none'
    | 'auto'
    | 'required'
    | {
        type: 'function'
        name: string
        [name: string]: unknown
      }
    | {
        type: 'allowed_tools'
        mode: 'auto' | 'required'
        tools: {
          type: 'function'
          name: string
          [name: string]: unknown
        }[]
        [name: string]: unknown
      }
    | null
    | undefined
  parallel_tool_calls?: boolean | null | undefined
  text?:
    | {
        format?:
          | {
              type: 'text'
              [name: string]: unknown
            }
          | {
              type: 'json_object'
              [name: string]: unknown
            }
          | {
              type: 'json_schema'
              name: string
              description?: string | null | undefined
              schema: { [name: string]: JsonValue }
              strict?: boolean | null | undefined
              [name: string]: unknown
            }
          | undefined
        verbosity?: string | null | undefined
        [name: string]: unknown
      }
    | null
    | undefined
  reasoning?:
    | {
        effort?: string | null | undefined
        [name: string]: unknown
      }
    | null
    | undefined
  max_output_tokens?: number | null | undefined
  temperature?: number | null | undefined
  top_p?: number | null | undefined
  top_logprobs?: number | null | undefined
  /** `message.output_text.logprobs` has an effect. Others name what no response has here. */
  include?: string[] | null | undefined
  /** Repeated in the response. */
  metadata?: { [name: string]: JsonValue } | null | undefined
  /** Nothing is stored, whatever the value. */
  store?: boolean | null | undefined
  stream?: boolean | null | undefined
  truncation?: 'disabled' | null | undefined
  background?: false | null | undefined
  /** Not supported: must be null: responses are not stored here, so send all items of the conversation. */
  previous_response_id?: null | undefined
  /** Not supported: must be null: responses are not stored here, so send all items of the conversation. */
  conversation?: null | undefined
  /** Not supported: must be null: prompts are not stored here, so send instructions and input. */
  prompt?: null | undefined
  /** Not supported: must be null: conversations are not shortened here. */
  context_management?: null | undefined
  [name: string]: unknown
}

export interface ModelResponseUsage {
  input_tokens: number
  input_tokens_details: {
    cached_tokens: number
    [name: string]: unknown
  }
  output_tokens: number
  output_tokens_details: {
    reasoning_tokens: number
    [name: string]: unknown
  }
  total_tokens: number
  [name: string]: unknown
}

/** What an account used of a model in a day. */
export interface ModelUsage {
  /** A day in UTC. */
  date: string
  model: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** Answers, also those that broke off. */
  requests: number
  /** Answers whose tokens are not counted, because they broke off or the model does not report them. */
  requests_without_usage: number
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

export interface ModelUsagePage {
  data: ModelUsage[]
  /** Whether there is another page. */
  has_more: boolean
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null
}

export interface Moderation {
  /** The name that the request used. */
  model: string
  results: {
    flagged: boolean
    [name: string]: unknown
  }[]
  [name: string]: unknown
}

export interface ModerationRequest {
  /** 1 to 200 characters. Default: `"omni-moderation-latest"`. */
  model?: string | undefined
  input: string | (string | { [name: string]: JsonValue })[]
  [name: string]: unknown
}

export interface OcrBarcode {
  /** Name of the symbology. */
  format: string
  text: string
  box: Box
}

/** Lines that belong together, such as a column or a heading. */
export interface OcrBlock {
  text: string
  /** 0 to 1. */
  confidence: number
  box: Box
  lines: OcrLine[]
  /** Missing unless the block is a heading. From 1, print much larger than the running text of the page, to 4, bold print of its size. 1 to 6. */
  heading_level?: number | undefined
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

export interface OcrDocumentPageRead {
  /** Number of the page, from 1. At least 1. */
  number: number
  error: null
  text: string
  /** 0 to 1. */
  confidence: number
  page: OcrPage
  /** Fields of the first machine-readable zone or licence's barcode that was read with certainty: `document_number`, `surname`, `given_names`, `date_of_birth`, `expiry_date`, `issuing_country` and others. Dates are ISO 8601. */
  fields?: { [name: string]: string } | undefined
}

export interface OcrDocumentPageUnread {
  /** Number of the page, from 1. At least 1. */
  number: number
  error: {
    /** `time_limit`, `memory_limit` or `pixel_limit` if the page exceeds a limit, which `message` names. `damaged` if it cannot be opened. `other_script` if it is in a script that the languages do not have. `failed` if the service gave up. */
    code: 'time_limit' | 'memory_limit' | 'pixel_limit' | 'damaged' | 'other_script' | 'failed'
    message: string
  }
}

export interface OcrDocumentPages {
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
  /** Pages after `after`, in order and without gaps: a page is returned once those before it are done. */
  pages: (OcrDocumentPageRead | OcrDocumentPageUnread)[]
  /** Whether further pages are done already. Read on after the last of these. */
  has_more: boolean
}

export interface OcrLine {
  text: string
  /** 0 to 1. */
  confidence: number
  box: Box
  words: OcrWord[]
}

export interface OcrPage {
  /** At least 1. */
  width: number
  /** At least 1. */
  height: number
  /** Degrees by which the page was turned clockwise to stand upright. All boxes refer to the upright page. Up to 180. */
  rotation: number
  /** `text_layer` if the PDF had the text; its confidence is 1. `recognition` if it was read from the pixels. */
  source: 'recognition' | 'text_layer'
  /** In reading order: column by column where running text stands in columns, else row by row, as in tables, forms and receipts. */
  blocks: OcrBlock[]
  /** From top to bottom, found by how their cells are aligned; missing if there are none. Their words are in `blocks` as well. A page has at most 10,000 cells; further tables are left out. */
  tables?: OcrTable[] | undefined
  barcodes: OcrBarcode[]
  /** Why nothing of this page was read, although others were. `other_script`: it is in a script that the languages do not have; `message` names it, and the languages to send or install. */
  error?:
    | {
        code: 'other_script'
        message: string
      }
    | undefined
}

export interface OcrRequest {
  /** JPEG, PNG, WebP, HEIC, AVIF or TIFF image, or a PDF, of up to 50 pages. Not empty. */
  image_b64: string
  /** Language as a BCP-47 tag, or up to three joined by `+`, most important first. English, Hindi and Nepali can be read, on some servers more. 2 to 35 characters. Default: `"en"`. */
  language?: string | undefined
  /** `auto` turns pages upright; `as_is` reads them as they lie. Default: `"auto"`. */
  orientation?: 'auto' | 'as_is' | undefined
  /** Whether the text layer of a PDF is its text. `auto`: unless the page is a scan, or shows other text. `use`: wherever there is one. `ignore`: never. Default: `"auto"`. */
  text_layer?: 'auto' | 'use' | 'ignore' | undefined
}

export interface OcrResult {
  /** Text of all pages: an empty line between blocks, and a form feed (U+000C) between pages. */
  text: string
  language: string
  /** Mean confidence of the words, weighted by their lengths. 0 to 1. */
  confidence: number
  pages: OcrPage[]
  /** Fields of the first machine-readable zone or licence's barcode that was read with certainty: `document_number`, `surname`, `given_names`, `date_of_birth`, `expiry_date`, `issuing_country` and others. Dates are ISO 8601. */
  fields?: { [name: string]: string } | undefined
}

export interface OcrTable {
  box: Box
  /** From top to bottom. Each has a cell for each column, from left to right, so the table is a grid. At least 2 entries. */
  rows: OcrTableCell[][]
}

/** A cell without text has no `box`. `column_span` is missing if it is 1. */
export interface OcrTableCell {
  /** Lines of a cell are joined by spaces. Empty if there is none, or if that of another cell covers it. */
  text: string
  box?: Box | undefined
  /** Number of columns that the text covers, from this cell to the right. The cells that it covers follow in the row, without text. At least 2. */
  column_span?: number | undefined
}

export interface OcrWord {
  text: string
  /** 0 to 1. */
  confidence: number
  box: Box
}

/** A number that calls of the account may show once it is verified. */
export interface OwnCallerId {
  /** Id of a caller id: `cid_` and a UUIDv7 in base 32. Sorts by creation time. */
  caller_id_id: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** In E.164. */
  phone_number: string
  /** How it is verified: by a call with a code, or by the operator. */
  source: 'call' | 'operator'
  /** Calls may show the number only while it is `verified`. */
  status: 'pending' | 'verified' | 'failed'
  /** Why it could not be verified; null unless it is `failed`. */
  failure_reason:
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
    | 'expired'
    | 'too-many-attempts'
    | null
  /** How many codes may still be tried; null unless it is `pending`. */
  attempts_left: number | null
  /** When the code expires; null unless it is `pending`. */
  expires_at: string | null
  /** When it was verified; null before. */
  verified_at: string | null
}

export interface OwnConcurrency {
  /** At least 1. */
  limit: number
}

export interface OwnRate {
  /** At least 1. */
  limit: number
  /** At least 1. */
  period_seconds: number
}

/** Where on an image a check found something, to draw it there. */
export interface Place {
  artifact: 'front_image' | 'back_image' | 'reference_portrait'
  /** `zone`, `barcode`, `face` or the name of a field. */
  what: string
  /** Size of the image in pixels, as reviewers get it. At least 1. */
  width: number
  /** At least 1. */
  height: number
  /** In the pixels of the image: from the top left of what is there, as it is read, clockwise. They may lie a little outside. 4 to 4 entries. */
  corners: {
    x: number
    y: number
  }[]
}

export interface PlaceCallRequest {
  /** Number to call, in E.164. */
  to: string
  /** Id of the agent. */
  agent_id: string
  /** When to dial, as an ISO 8601 time with a UTC offset. */
  scheduled_at?: string | undefined
  /** A verified caller id of the account, in E.164. */
  from_caller_id?: string | undefined
  /** Language of the agent. Up to 35 characters. Default: `"ne-NP"`. */
  language?: string | undefined
  /** Free key-value pairs, echoed in reads and webhooks. They fill the placeholders in the agent’s words, which may then have up to 4096 characters. */
  metadata?: { [name: string]: JsonValue } | undefined
}

/** The account’s own limits by name. */
export interface RateOverrides {
  place_call?: OwnRate | undefined
  speech_stream?: OwnRate | undefined
  synthesis_high_fidelity?: OwnRate | undefined
  synthesis_light?: OwnRate | undefined
  watermark_detection?: OwnRate | undefined
  lexicon_changes?: OwnRate | undefined
  voice_cloning?: OwnRate | undefined
  kyc_submissions?: OwnRate | undefined
  status_polls?: OwnRate | undefined
  verification_reads?: OwnRate | undefined
  chat?: OwnRate | undefined
  speech?: OwnRate | undefined
  ocr?: OwnRate | undefined
  batch?: OwnRate | undefined
  deployments?: OwnRate | undefined
  do_not_call_changes?: OwnRate | undefined
  caller_id_calls?: OwnRate | undefined
  caller_id_changes?: OwnRate | undefined
  waiting_calls?: OwnConcurrency | undefined
  concurrent_streams?: OwnConcurrency | undefined
  pending_verifications?: OwnConcurrency | undefined
  unfinished_documents?: OwnConcurrency | undefined
  unfinished_batches?: OwnConcurrency | undefined
}

/** At most `limit` requests in any `period_seconds`. */
export interface RateUse {
  name:
    | 'place_call'
    | 'speech_stream'
    | 'synthesis_high_fidelity'
    | 'synthesis_light'
    | 'watermark_detection'
    | 'lexicon_changes'
    | 'voice_cloning'
    | 'kyc_submissions'
    | 'status_polls'
    | 'verification_reads'
    | 'chat'
    | 'speech'
    | 'ocr'
    | 'batch'
    | 'deployments'
    | 'do_not_call_changes'
    | 'caller_id_calls'
    | 'caller_id_changes'
  /** What is counted by itself. */
  per: 'key' | 'account' | 'verification'
  /** At least 1. */
  limit: number
  /** At least 1. */
  period_seconds: number
  /** Requests that would be admitted now; null if each verification is counted by itself. */
  remaining: number | null
  /** Seconds until `remaining` grows, as in the header `RateLimit`; 0 if nothing is used. */
  reset_seconds: number | null
}

export interface Readiness {
  status: 'ok'
  checks: { [name: string]: string }
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

export interface ReconsiderRequest {
  /** Name of the policy to apply. 1 to 100 characters. */
  policy: string
}

export interface RecoverDeliveriesRequest {
  /** Creation time of the oldest deliveries to resend. */
  since: string
  /** Only deliveries created before this time, which is not before `since`; by default, all since `since`. */
  until?: string | undefined
}

export interface RecoverDeliveriesResponse {
  /** Number of deliveries resent. */
  resent: number
}

/** Refused requests of the last 24 hours by error code and route, the most frequent first. */
export interface RefusalSummary {
  since: string
  /** Refused requests since then that are kept. */
  refused: number
  /** Others, which were too many to keep. */
  omitted: number
  /** Whether there were more than 5000; only the newest are counted. */
  has_more: boolean
  groups: {
    /** Code of the error. */
    code: string
    /** 400 to 599. */
    status: number
    /** Name of the route. */
    operation: string
    method: string
    /** Path of the route, never as it was sent. */
    route: string
    /** At least 1. */
    count: number
    first_at: string
    last_at: string
    /** Id of the last one. */
    request_id: string
  }[]
}

/** A request that was answered with 4xx or 5xx, without its body, query, headers and ids in its path. */
export interface RefusedRequest {
  /** Id of a refusal: `rfs_` and a UUIDv7 in base 32. Sorts by creation time. */
  refusal_id: string
  /** The `X-Request-Id` of the response. */
  request_id: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** Id of a key: `key_` and a UUIDv7 in base 32. Sorts by creation time. */
  key_id: string
  /** Code of the error. */
  code: string
  /** 400 to 599. */
  status: number
  /** Name of the route. */
  operation: string
  method: string
  /** Path of the route, never as it was sent. */
  route: string
  /** Field that was at fault, with `*` for a position in a list; null if it is no field of the route. */
  param: string | null
  duration_ms: number
  /** Refused requests that followed in the same minute and are not listed, because only 30 a minute are kept. */
  omitted: number
  created_at: string
}

export interface RemovedFile {
  id: string
  deleted: boolean
  [name: string]: unknown
}

export interface ReplaceLexiconRequest {
  /** 1 to 1000 entries. */
  entries: LexiconEntry[]
  /** Version that these entries replace. If another is stored, or none, 409 `state_conflict`, unless it is that of these entries. Up to 100 characters. */
  version?: string | undefined
}

/** Everything that a reviewer needs to decide a verification. */
export interface Review {
  verification: Verification
  /** Policy that the verification was submitted under. */
  policy: string
  /** How many people must agree, by that policy. At least 1. */
  reviewers_needed: number
  /** Every check that has run. */
  checks: CheckResult[]
  /** Media that is kept; empty once it is erased. */
  media: {
    artifact: 'front_image' | 'back_image' | 'liveness_video' | 'reference_portrait'
    bytes: number
  }[]
  /** `person` once a reviewer has asked for a picture or the video again. */
  waiting_for: 'reviewer' | 'person'
  /** When it should be decided, by its policy; null if the policy sets no time. */
  due_at: string | null
  /** Who works on the review; null if nobody does. */
  claim: ReviewClaim | null
  /** The latest vote of each person, oldest first. */
  votes: ReviewEntry[]
}

export interface ReviewActionRequest {
  /** Your reference for the person at work, such as a staff number. Omit it if each person has a key of their own. It is recorded. Where several people must agree, only a key with the scope `identity:vouch` speaks for several. 1 to 200 characters. */
  reviewer?: string | undefined
}

export interface ReviewClaim {
  /** Id of the key that the person used. */
  key_id: string
  /** The `reviewer` that the request named, if any. */
  reviewer: string | null
  /** When others may claim the review; claiming it again moves this time. */
  expires_at: string
}

/** The queue in numbers. Counting stops at 1000, which means as many or more. */
export interface ReviewCounts {
  /** Reviews that wait for a reviewer. 0 to 1000. */
  reviews: number
  /** Those of them that somebody works on. 0 to 1000. */
  claimed: number
  /** Reviews that wait for a new picture or video. 0 to 1000. */
  waiting_for_person: number
  /** When the oldest was submitted; null if there is none. */
  oldest_created_at: string | null
  by_policy: {
    policy: string
    /** 0 to 1000. */
    reviews: number
    oldest_created_at: string
    /** When the oldest is due; null if the policy sets no time. */
    oldest_due_at: string | null
    /** Those whose time is over. 0 to 1000. */
    overdue: number
  }[]
  by_reason: {
    reason: string
    /** Reviews with this reason; one with several counts for each. 0 to 1000. */
    reviews: number
  }[]
}

/** What somebody did in a review. */
export interface ReviewEntry {
  /** Id of an entry: `rev_` and a UUIDv7 in base 32. Sorts by creation time. */
  entry_id: string
  type: 'claim' | 'release' | 'look' | 'note' | 'ask' | 'vote'
  /** Id of the key that the person used. */
  key_id: string
  /** The `reviewer` that the request named, if any. */
  reviewer: string | null
  created_at: string
  /** Set for a `vote`. */
  decision: 'approved' | 'declined' | null
  /** Why a `vote` is to decline, for the person; otherwise empty. */
  reasons: (
    | 'document_unreadable'
    | 'document_not_accepted'
    | 'document_expired'
    | 'document_doubtful'
    | 'details_differ'
    | 'face_mismatch'
    | 'not_live'
    | 'already_sent'
    | 'under_age'
    | 'other'
  )[]
  /** What was looked at or asked for again; set for a `look` and an `ask`. */
  artifact: 'front_image' | 'back_image' | 'liveness_video' | 'reference_portrait' | null
  /** What is wrong with it; set for an `ask`. */
  problem: 'blurred' | 'glare' | 'too_dark' | 'cut_off' | 'covered' | 'wrong_picture' | 'missing' | null
  /** Text of a `note`, or the note of a `vote`; null if there is none, or once it is erased. */
  note: string | null
}

export interface ReviewRequest {
  decision: 'approved' | 'declined'
  /** Internal note for reviewers; never sent to the person. 1 to 2000 characters. */
  note?: string | undefined
  /** Why it is declined, for the person: safe texts of these codes replace the findings of the checks in reads and webhooks. Only with `declined`; `other` if omitted. An approved verification has no reasons. Up to 5 entries. */
  reasons?:
    | (
        | 'document_unreadable'
        | 'document_not_accepted'
        | 'document_expired'
        | 'document_doubtful'
        | 'details_differ'
        | 'face_mismatch'
        | 'not_live'
        | 'already_sent'
        | 'under_age'
        | 'other'
      )[]
    | undefined
  /** Your reference for the person at work, such as a staff number. Omit it if each person has a key of their own. It is recorded. Where several people must agree, only a key with the scope `identity:vouch` speaks for several. 1 to 200 characters. */
  reviewer?: string | undefined
}

export interface RotateAccountWebhookSecretRequest {
  /** Hours for which the previous secret still signs; 0 ends it at once. 0 to 168. Default: `24`. */
  overlap_hours?: number | undefined
  /** Secret that makes `X-Service-Signature` during the overlap; afterwards it is the new one. `webhook-signature` contains both signatures. Choose `previous` if a receiver knows only one secret and cannot change it at once. Default: `"new"`. */
  sign_with?: 'new' | 'previous' | undefined
  /** Account to act on; defaults to the key’s own. Only an operator’s key may name another. */
  account_id?: string | undefined
}

export interface RotateWebhookSecretRequest {
  /** Hours for which the previous secret still signs; 0 ends it at once. 0 to 168. Default: `24`. */
  overlap_hours?: number | undefined
  /** Secret that makes `X-Service-Signature` during the overlap; afterwards it is the new one. `webhook-signature` contains both signatures. Choose `previous` if a receiver knows only one secret and cannot change it at once. Default: `"new"`. */
  sign_with?: 'new' | 'previous' | undefined
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

export interface SendTestEventRequest {
  /** Type of the event to send. */
  type:
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
}

export interface SetOwnConcurrency {
  /** 1 to 100000. */
  limit: number
}

export interface SetOwnRate {
  /** 1 to 100000. */
  limit: number
  /** 1 to 2678400. */
  period_seconds: number
}

/** The account’s own limits by name: at most `limit` requests in any `period_seconds`, or at most `limit` at a time. */
export interface SetRateOverrides {
  place_call?: SetOwnRate | undefined
  speech_stream?: SetOwnRate | undefined
  synthesis_high_fidelity?: SetOwnRate | undefined
  synthesis_light?: SetOwnRate | undefined
  watermark_detection?: SetOwnRate | undefined
  lexicon_changes?: SetOwnRate | undefined
  voice_cloning?: SetOwnRate | undefined
  kyc_submissions?: SetOwnRate | undefined
  status_polls?: SetOwnRate | undefined
  verification_reads?: SetOwnRate | undefined
  chat?: SetOwnRate | undefined
  speech?: SetOwnRate | undefined
  ocr?: SetOwnRate | undefined
  batch?: SetOwnRate | undefined
  deployments?: SetOwnRate | undefined
  do_not_call_changes?: SetOwnRate | undefined
  caller_id_calls?: SetOwnRate | undefined
  caller_id_changes?: SetOwnRate | undefined
  waiting_calls?: SetOwnConcurrency | undefined
  concurrent_streams?: SetOwnConcurrency | undefined
  pending_verifications?: SetOwnConcurrency | undefined
  unfinished_documents?: SetOwnConcurrency | undefined
  unfinished_batches?: SetOwnConcurrency | undefined
}

export type SpeechEvent =
  | {
      type: 'speech.audio.delta'
      /** The next bytes of the audio, in base64. */
      audio: string
    }
  | {
      type: 'speech.audio.done'
      usage: {
        /** Characters of the input. */
        input_tokens: number
        /** Frames of 20 ms that were spoken. */
        output_tokens: number
        total_tokens: number
      }
    }

export interface SpeechRequest {
  /** `synth-v1`, `synth-l1`, `synth-l2`, or a model of OpenAI that they stand in for: `tts-1-hd` and `gpt-4o-mini-tts`, or `tts-1`. Sets the bit rate of mp3, opus and aac. 1 to 200 characters. */
  model: string
  /** Text to speak. Markup in it is never obeyed; see `markup`. 1 to 4096 characters. */
  input: string
  /** A voice of the engine or of OpenAI, for which one of the engine stands in, or the id of a cloned voice, alone or as `{ "id": … }`. */
  voice:
    | string
    | {
        /** 1 to 64 characters. */
        id: string
        [name: string]: unknown
      }
  /** Mono audio at 24 kHz: `opus` in Ogg, `aac` in ADTS (if the server has ffmpeg), `pcm` 16-bit little-endian without a header. Default: `"mp3"`. */
  response_format?: 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm' | undefined
  /** Rate of speech. Own engines refuse others than 0.5 to 2. 0.25 to 4. Default: `1`. */
  speed?: number | undefined
  /** How to speak: neutral, friendly, professional, excited, calm, warm, or anything else if the engine follows it. Up to 4096 characters. Default: `""`. */
  instructions?: string | undefined
  /** `audio` is the audio itself, `sse` events with parts of it in base64. Default: `"audio"`. */
  stream_format?: 'audio' | 'sse' | undefined
  /** Language of the input. By default, that of its script: Devanagari is `hi-IN`, Arabic `ar-SA`, Cyrillic `ru-RU`, Kana `ja-JP`, Han `zh-CN`, all else `en-US`. Up to 35 characters. */
  language?: string | undefined
  /** `strip` leaves out the signs of Markdown, its blocks of code and the commands of LaTeX; `keep` speaks them as text. All other markup, such as SSML, is always text. Default: `"keep"`. */
  markup?: 'keep' | 'strip' | undefined
  [name: string]: unknown
}

export interface StartCallerIdRequest {
  /** Number to verify, in E.164. It is called at once. */
  phone_number: string
  /** Language in which the call says the code. Default: `"en-US"`. */
  language?: 'en-US' | 'ne-NP' | 'hi-IN' | 'fr-FR' | 'es-ES' | 'de-DE' | undefined
}

export interface StartedCallerId {
  /** Id of a caller id: `cid_` and a UUIDv7 in base 32. Sorts by creation time. */
  caller_id_id: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** In E.164. */
  phone_number: string
  /** How it is verified: by a call with a code, or by the operator. */
  source: 'call' | 'operator'
  /** Calls may show the number only while it is `verified`. */
  status: 'pending' | 'verified' | 'failed'
  /** Why it could not be verified; null unless it is `failed`. */
  failure_reason:
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
    | 'expired'
    | 'too-many-attempts'
    | null
  /** How many codes may still be tried; null unless it is `pending`. */
  attempts_left: number | null
  /** When the code expires; null unless it is `pending`. */
  expires_at: string | null
  /** When it was verified; null before. */
  verified_at: string | null
  /** The code, in test mode with the simulator only, because no phone rings there. Absent if a phone rings. */
  test_code?: string | undefined
}

/** A batch in the wire format of OpenAI. */
export interface StoredBatch {
  id: string
  object?: string | undefined
  status?: string | undefined
  [name: string]: unknown
}

/** A file in the wire format of OpenAI. */
export interface StoredFile {
  id: string
  object?: string | undefined
  purpose?: string | undefined
  [name: string]: unknown
}

export interface StoredLine {
  custom_id?: string | undefined
  [name: string]: unknown
}

/** Describes a stream, as one line of JSON in the x-stream-descriptor header. */
export interface StreamDescriptor {
  /** Hint for the developer, such as a limitation of the language. */
  note: string
  /** Measured time from the request to the first audio, or on a WebSocket to `started`. */
  first_byte_ms: number
  format: 'pcm16'
  sample_rate_hz: 16000
  request_id: string
  model: string
  voice: string
}

export interface StreamSpeechRequest {
  /** Always `stream-tts`. */
  model: 'stream-tts'
  /** Text to speak. Markup in it is never obeyed; see `markup`. 1 to 4096 characters. */
  input: string
  /** `nova`, `atlas` or the id of a cloned voice. 1 to 64 characters. Default: `"nova"`. */
  voice?: string | undefined
  /** Emotion of the voice; changes its pitch, pitch range, rate and energy. Default: `"neutral"`. */
  emotion?: 'neutral' | 'friendly' | 'professional' | 'excited' | 'calm' | 'warm' | undefined
  /** Rate of speech. 0.5 to 2. Default: `1`. */
  speed?: number | undefined
  /** Encoding of the frames. Default: `"pcm16"`. */
  format?: 'pcm16' | undefined
  /** Language of the text. Up to 35 characters. Default: `"en-US"`. */
  language?: string | undefined
  /** `strip` leaves out the signs of Markdown, its blocks of code and the commands of LaTeX; `keep` speaks them as text. All other markup, such as SSML, is always text. Default: `"keep"`. */
  markup?: 'keep' | 'strip' | undefined
}

export interface SubmitVerificationRequest {
  /** Front of the document: JPEG, PNG, WebP, HEIC or AVIF. At most 15 MiB (20 MiB as base64). Not empty. */
  front_image_b64: string
  back_image_b64?: string | null | undefined
  /** Liveness video: MP4, MOV or WebM, 3 to 10 seconds. At most 37.5 MiB (50 MiB as base64). Not empty. */
  liveness_video_b64: string
  external_id?: string | null | undefined
  callback_url?: string | null | undefined
  options?:
    | {
        /** If false, the media is erased as soon as it has been checked. Default: `true`. */
        store_media?: boolean | null | undefined
      }
    | null
    | undefined
  reference_portrait_b64?: string | null | undefined
}

export interface SynthesisDescriptor {
  request_id: string
  model: 'synth-v1' | 'synth-l1' | 'synth-l2'
  voice: string
  language: string
  format: 'wav' | 'mp3' | 'ogg'
  sample_rate_hz: 16000 | 22050 | 44100
  duration_seconds: number
  characters: number
  /** Whether the audio is marked. Its request can be found from about three seconds of speech on. */
  watermark: boolean
  /** The audio as base64, if the request accepts `application/json`. */
  audio_b64?: string | undefined
}

export interface SynthesisDescriptorHeader {
  request_id: string
  model: 'synth-v1' | 'synth-l1' | 'synth-l2'
  voice: string
  language: string
  format: 'wav' | 'mp3' | 'ogg'
  sample_rate_hz: 16000 | 22050 | 44100
  duration_seconds: number
  characters: number
  /** Whether the audio is marked. Its request can be found from about three seconds of speech on. */
  watermark: boolean
}

export interface SynthesizeRequest {
  /** Text to speak. Markup in it is never obeyed; see `markup`. 1 to 5000 characters. */
  text: string
  /** `synth-v1` is high-fidelity and multilingual, `synth-l1` lightweight and `synth-l2` ultra-lightweight. */
  model: 'synth-v1' | 'synth-l1' | 'synth-l2'
  /** Language of the text. Up to 35 characters. Default: `"en-US"`. */
  language?: string | undefined
  /** `strip` leaves out the signs of Markdown, its blocks of code and the commands of LaTeX; `keep` speaks them as text. All other markup, such as SSML, is always text. Default: `"keep"`. */
  markup?: 'keep' | 'strip' | undefined
  /** `default`, `alt1`, `alt2` or the id of a cloned voice. Default: `"default"`. */
  voice?: 'default' | 'alt1' | 'alt2' | string | undefined
  /** Emotion of the voice; changes its pitch, pitch range, rate and energy. Default: `"neutral"`. */
  emotion?: 'neutral' | 'friendly' | 'professional' | 'excited' | 'calm' | 'warm' | undefined
  /** Rate of speech. 0.5 to 2. Default: `1`. */
  speaking_rate?: number | undefined
  /** From -1 (six semitones down) to 1 (six semitones up). -1 to 1. Default: `0`. */
  pitch_shift?: number | undefined
  /** Format of the audio file. Default: `"wav"`. */
  format?: 'wav' | 'mp3' | 'ogg' | undefined
  /** Sample rate of the audio in Hz. Default: `22050`. */
  sample_rate?: 16000 | 22050 | 44100 | undefined
  /** Whether to mark the audio inaudibly, so that `/v1/engine/watermark/detect` finds its request. Each request has its own mark. Default: `true`. */
  enable_watermark?: boolean | undefined
}

export interface Transcription {
  text: string
  /** The name that the request used. */
  model: string
  usage?:
    | {
        /** `tokens` or `duration`. */
        type?: string | undefined
        input_tokens?: number | undefined
        output_tokens?: number | undefined
        seconds?: number | undefined
        [name: string]: unknown
      }
    | null
    | undefined
  [name: string]: unknown
}

export interface TranscriptionEvent {
  /** `transcript.text.delta`, or `transcript.text.done` at the end. */
  type: string
  delta?: string | undefined
  /** The whole transcript, at the end. */
  text?: string | undefined
  usage?:
    | {
        /** `tokens` or `duration`. */
        type?: string | undefined
        input_tokens?: number | undefined
        output_tokens?: number | undefined
        seconds?: number | undefined
        [name: string]: unknown
      }
    | null
    | undefined
  [name: string]: unknown
}

export interface UpdateAccountRequest {
  /** 1 to 100 characters. */
  name?: string | undefined
  /** Sets the rate limits. */
  tier?: 'starter' | 'pro' | 'enterprise' | undefined
  /** Receives the events of calls placed with keys of this mode; each mode has its own URL. Requires a webhook secret of that mode, which `POST /webhooks/rotate-secret` creates. */
  call_webhook_url?: string | null | undefined
  rate_overrides?: SetRateOverrides | undefined
  /** Name of the policy that decides the account’s verifications; null uses the server’s. */
  identity_policy?: string | null | undefined
  /** Days to keep the media of a verification after its decision; null uses the server’s setting. */
  media_retention_days?: number | null | undefined
  /** Days to keep the recording of a call after the call has ended; null uses the server’s setting. */
  recording_retention_days?: number | null | undefined
  /** Whether webhooks of final decisions have `extracted`: the fields read from the document. Applies to decisions made from then on; false also applies to deliveries that have not been sent yet. */
  webhooks_include_extracted?: boolean | undefined
}

export interface UpdateMemberRequest {
  /** How colleagues see the member, in reviews too. 1 to 100 characters. */
  name?: string | undefined
  /** `owner`: everything; `developer`: all but members, keys and reviews; `reviewer`: reviews, and reading verifications; `viewer`: reading. */
  role?: 'owner' | 'developer' | 'reviewer' | 'viewer' | undefined
  /** Whether the member may work in live mode too. Only a live key or session may change such a member. */
  livemode?: boolean | undefined
}

export interface UpdateWebhookEndpointRequest {
  /** URL that receives the deliveries. Up to 2048 characters. */
  url?: string | undefined
  /** Types of events that the endpoint receives. Not empty. */
  events?:
    | (
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
    | undefined
  /** Whether it receives events. While it is disabled, pending deliveries wait and new events skip it. */
  enabled?: boolean | undefined
}

export interface UpsertAgentRequest {
  /** 1 to 100 characters. */
  name: string
  /** Language of `greeting`. Up to 35 characters. */
  language: string
  /** Voice of the agent. 1 to 64 characters. */
  voice: string
  /** What the agent says. `{{name}}` is replaced with that field of the call’s metadata; `{{name|friend}}` defaults to `friend`. 1 to 2000 characters. */
  greeting: string
  /** The greeting in other languages, by language tag; the language of the call selects one. Default: `{}`. */
  translations?: { [name: string]: string } | undefined
}

export interface Usage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details?:
    | {
        cached_tokens?: number | undefined
        [name: string]: unknown
      }
    | null
    | undefined
  completion_tokens_details?:
    | {
        reasoning_tokens?: number | undefined
        [name: string]: unknown
      }
    | null
    | undefined
  [name: string]: unknown
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

export interface VerifyCallerIdRequest {
  /** The code that the call said. */
  code: string
}

export interface VideoFrames {
  frames: {
    /** Time since the start of the video. */
    time_ms: number
    /** At least 1. */
    width: number
    /** At least 1. */
    height: number
    /** The picture as JPEG, in base64. */
    image_b64: string
  }[]
}

/** A cloned voice. */
export interface Voice {
  /** Id of a voice: `vox_` and a UUIDv7 in base 32. Sorts by creation time. */
  voice_id: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  name: string
  /** Language of the samples; null if none was given. */
  language: string | null
  /** How the voice is made. `parametric`: the speaker’s pitch, range, rate, tilt and formants on a voice of the engine. */
  kind: 'parametric'
  status: 'ready' | 'processing' | 'failed'
  created_at: string
}

/** Result of a search for the watermark. It is a hint, not proof: the watermark can be removed on purpose, so its absence says nothing. */
export interface WatermarkDetection {
  /** Whether the recording carries the watermark of this server. */
  detected: boolean
  /** Upper bound on the probability that a recording without the watermark fits as well. It is detected up to 0.0001 for each key of the server. 0 to 1. */
  false_alarm_probability: number
  /** Whether the identifier in the watermark was read with certainty, which takes more audio than detection. */
  payload_read: boolean
  /** Id of the request that made the speech. Null if the identifier was not read, or is none of this account and mode that the server still keeps. */
  request_id: string | null
  /** Time of that request. */
  created_at: string | null
  /** How much faster than the original the recording runs: 1, or 0.94 to 1.06. */
  speed: number
  /** Duration of the recording. */
  duration_seconds: number
}

export interface WebhookDelivery {
  /** Id of a delivery: `dlv_` and a UUIDv7 in base 32. Sorts by creation time. */
  delivery_id: string
  /** Id of an event, the same if a restored server reports it again. */
  event_id: string
  event_type:
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
  /** Null for a callback URL or the account’s call webhook. */
  endpoint_id: string | null
  /** URL of the next attempt; once the delivery has ended, of the last attempt. Null for a callback URL that was erased with the data of its person. */
  url: string | null
  /** Id of the call, verification or endpoint that the event is about. */
  object_id: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** `pending` until it is `delivered` or `dead`. */
  status: 'pending' | 'delivered' | 'dead'
  /** Why the delivery is dead; null if it is not. */
  dead_reason:
    | 'gone'
    | 'attempts_exhausted'
    | 'window_expired'
    | 'endpoint_deleted'
    | 'erased'
    | 'restored'
    | null
  /** Whether it was resent through the API. */
  resent: boolean
  /** Number of attempts so far. */
  attempt_count: number
  /** Time of the next attempt; null once the delivery has ended. */
  next_attempt_at: string | null
  created_at: string
}

export interface WebhookDeliveryDetail {
  /** Id of a delivery: `dlv_` and a UUIDv7 in base 32. Sorts by creation time. */
  delivery_id: string
  /** Id of an event, the same if a restored server reports it again. */
  event_id: string
  event_type:
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
  /** Null for a callback URL or the account’s call webhook. */
  endpoint_id: string | null
  /** URL of the next attempt; once the delivery has ended, of the last attempt. Null for a callback URL that was erased with the data of its person. */
  url: string | null
  /** Id of the call, verification or endpoint that the event is about. */
  object_id: string
  /** True in live mode, false in test mode. Keys of the other mode get 404. */
  livemode: boolean
  /** `pending` until it is `delivered` or `dead`. */
  status: 'pending' | 'delivered' | 'dead'
  /** Why the delivery is dead; null if it is not. */
  dead_reason:
    | 'gone'
    | 'attempts_exhausted'
    | 'window_expired'
    | 'endpoint_deleted'
    | 'erased'
    | 'restored'
    | null
  /** Whether it was resent through the API. */
  resent: boolean
  /** Number of attempts so far. */
  attempt_count: number
  /** Time of the next attempt; null once the delivery has ended. */
  next_attempt_at: string | null
  created_at: string
  /** The body, byte for byte as sent, but without `extracted`, and unless personal data was erased from it; null once the event is no longer kept. */
  body: string | null
  /** The latest 50 attempts. */
  attempts: {
    at: string
    /** HTTP status; null if there was no response. */
    status: number | null
    duration_ms: number
    /** Why there was no response; null if there was one. */
    error:
      | 'timeout'
      | 'connect_timeout'
      | 'connection_refused'
      | 'connection_reset'
      | 'destination_refused'
      | 'dns_failed'
      | 'tls_failed'
      | 'network_error'
      | null
    /** First 2 KiB of the response body; null if there is none, or if the attempt sent `extracted`, which the response may repeat. */
    response_excerpt: string | null
  }[]
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

export interface WebhookSecret {
  /** Secret that signs deliveries; shown only once. */
  secret: string
  /** Until then, `webhook-signature` also contains a signature with the previous secret. */
  previous_secret_until: string | null
}

export interface AcknowledgeRequest {
  /** Why, for the history. 1 to 500 characters. */
  note: string
}

export interface ChangeStageRequest {
  stage: MigrationStage
  /** Why, for the history. 1 to 500 characters. */
  reason: string
  /** Who does it, for the history; the id of the key by default. 1 to 100 characters. */
  actor?: string | undefined
  /** Promotes although the evidence does not advise it. The reason is kept, and everybody who gets alerts reads it. Default: `false`. */
  force?: boolean | undefined
}

export interface KillSwitchRequest {
  engaged: boolean
  /** Why, for the history. 1 to 500 characters. */
  reason: string
  /** Who does it, for the history; the id of the key by default. 1 to 100 characters. */
  actor?: string | undefined
}

/** Where a migration stands, and what the evidence advises. */
export interface Migration {
  stage: MigrationStage
  /** The version that answers callers at this stage. */
  answers: 'v1' | 'v2'
  /** Share of the submissions that the other version gets as well. 0 to 1. */
  shadow_share: number
  kill_switch: {
    /** If true, nothing is shadowed, whatever the stage. */
    engaged: boolean
    /** What engaged it; null if it is not engaged. */
    source: 'api' | 'file' | 'environment' | 'provider' | null
  }
  /** `table`, or the name of the OpenFeature provider that decides the stage instead. */
  flag_source: string
  /** Last change of the stage. */
  changed_at: string
  /** Person or program that made it. */
  changed_by: string
  /** Pairs since then count as evidence. */
  evidence_since: string
  /** What keeps the migration from learning anything, in words, and what to do; empty if nothing does. */
  attention: string[]
  verdict: MigrationVerdict
  pairs: {
    /** Pairs that are not over. */
    waiting: number
    /** Pairs that ended since `evidence_since`. */
    ended: number
    /** Submissions sent to the shadow today, in UTC. */
    sent_today: number
    /** Most submissions a day; null without a limit. */
    daily_budget: number | null
  }
  spool: {
    /** Submissions that wait to be sent to the shadow. */
    submissions: number
    /** Their bytes. */
    bytes: number
    /** Bytes above which no further submission is copied. */
    max_bytes: number
  }
}

/** A change, with the evidence at that moment. */
export interface MigrationChange {
  /** Id of a change: `chg_` and a UUIDv7 in base 32. Sorts by creation time. */
  change_id: string
  kind: 'stage' | 'rollback' | 'kill_switch' | 'evidence_restart'
  created_at: string
  /** Person or program; `gate` for what happened by itself. */
  actor: string
  reason: string
  from_stage: MigrationStage
  to_stage: MigrationStage
  /** Position of the switch after a change of kind `kill_switch`; otherwise null. */
  kill_switch: boolean | null
  /** Whether it was made against the advice. */
  forced: boolean
  verdict: MigrationVerdict
}

export interface MigrationCheck {
  name: 'primary_answers' | 'candidate_answers' | 'primary_key' | 'candidate_key' | 'decisions' | 'callbacks'
  state: 'passed' | 'failed' | 'skipped'
  /** What was found, and if it did not pass, what to do. */
  message: string
}

/** Whether a migration can begin. */
export interface MigrationChecks {
  /** Whether no check failed. */
  passed: boolean
  checks: MigrationCheck[]
}

export interface MigrationCondition {
  name:
    | 'worst_mismatches'
    | 'serious_mismatches'
    | 'mild_mismatches'
    | 'candidate_errors'
    | 'unconfirmed_ids'
    | 'missing_callbacks'
    | 'unfinished_pairs'
    | 'slow_answers'
    | 'slow_decisions'
  /** The condition in words. */
  label: string
  state: 'met' | 'broken' | 'open'
  /** Pairs in which it happened. */
  events: number
  /** Pairs in which it could have happened. */
  trials: number
  /** Highest rate that is allowed. 0 to 1. */
  allowed: number
  /** Lower bound of the rate, valid at any time; of its excess over the noise once enough of that is measured. 0 to 1. */
  lower: number
  /** Upper bound of the rate, valid at any time; of its excess over the noise once enough of that is measured. 0 to 1. */
  upper: number
  /** How often v1 differs from itself; null if it is not measured. */
  noise: {
    /** Pairs of v1 and v1 in which it happened. */
    events: number
    /** Pairs of v1 and v1 in which it could have happened. */
    trials: number
  } | null
  /** Trials that are missing to meet it; 0 if it is met, null if it never will be. */
  missing_trials: number | null
}

export interface MigrationErrorDifference {
  /** Pairs that both versions ended. */
  pairs: number
  /** Pairs in which v1 failed and v2 did not. */
  only_v1: number
  /** Pairs in which v2 failed and v1 did not. */
  only_v2: number
  /** Rate of failures of v2 alone less that of v1 alone, as observed. -1 to 1. */
  value: number
  /** Lower bound of the difference, valid at any time. Above 0, v2 fails more often. -1 to 1. */
  lower: number
  /** Upper bound of the difference, valid at any time. Below 0, v2 fails less often. -1 to 1. */
  upper: number
}

/** An alert of a migration. Holds nothing of a person. */
export type MigrationEvent =
  | {
      /** Id of an event, the same if a restored server reports it again. */
      event_id: string
      type: 'migration.mismatch'
      /** Time of the event; the same for every attempt. */
      created_at: string
      data: {
        /** The alert in one sentence. */
        summary: string
        stage: MigrationStage
        severity: 'mild' | 'serious' | 'worst'
        /** One of these pairs. */
        pair_id: string
        /** How many there were since the last alert of this kind. At least 1. */
        pairs: number
      }
    }
  | {
      /** Id of an event, the same if a restored server reports it again. */
      event_id: string
      type: 'migration.condition_broken'
      /** Time of the event; the same for every attempt. */
      created_at: string
      data: {
        /** The alert in one sentence. */
        summary: string
        stage: MigrationStage
        condition:
          | 'worst_mismatches'
          | 'serious_mismatches'
          | 'mild_mismatches'
          | 'candidate_errors'
          | 'unconfirmed_ids'
          | 'missing_callbacks'
          | 'unfinished_pairs'
          | 'slow_answers'
          | 'slow_decisions'
        verdict: MigrationVerdict
      }
    }
  | {
      /** Id of an event, the same if a restored server reports it again. */
      event_id: string
      type: 'migration.changed'
      /** Time of the event; the same for every attempt. */
      created_at: string
      data: {
        /** The alert in one sentence. */
        summary: string
        change: MigrationChange
      }
    }

/** The evidence of a migration. Holds nothing of a person. */
export interface MigrationReport {
  generated_at: string
  migration: Migration
  /** The last 200, newest first. */
  changes: MigrationChange[]
  rates: {
    severity: 'mild' | 'serious' | 'worst'
    /** Pairs at least as bad. */
    events: number
    /** Pairs with two decisions. */
    trials: number
    /** Lower bound of the rate. 0 to 1. */
    lower: number
    /** Upper bound of the rate. 0 to 1. */
    upper: number
    /** Highest rate that is allowed. 0 to 1. */
    allowed: number
  }[]
  /** Only those that occurred. */
  confusion: {
    v1: 'approved' | 'review' | 'declined' | 'refused' | 'failed' | 'unfinished'
    v2: 'approved' | 'review' | 'declined' | 'refused' | 'failed' | 'unfinished'
    /** Pairs with these endings. */
    pairs: number
  }[]
  latencies: {
    version: 'v1' | 'v2'
    measure: 'answer' | 'decision'
    /** Values measured. */
    count: number
    /** Median. */
    p50_ms: number | null
    /** 90th percentile. */
    p90_ms: number | null
    /** 99th percentile. */
    p99_ms: number | null
    /** Lower bound of the 99th percentile, valid at any time; null without values. */
    p99_lower_ms: number | null
    /** Upper bound of the 99th percentile, valid at any time; null while there are too few values for one. */
    p99_upper_ms: number | null
    buckets: {
      up_to_ms: number
      /** Values in this bucket, above the one before. */
      count: number
    }[]
  }[]
  callbacks: {
    /** Callbacks that were due. */
    due: number
    /** Those that came. */
    came: number
  }
  ids: {
    /** Ids that were read back. */
    due: number
    /** Those that were found. */
    confirmed: number
  }
  outcomes: {
    outcome:
      | 'waiting'
      | 'not_sent'
      | 'primary_failed'
      | 'candidate_failed'
      | 'unfinished'
      | 'unreadable'
      | 'mismatched'
      | 'callback_missing'
      | 'agreed'
    /** Pairs with this outcome. */
    pairs: number
  }[]
  /** Hours with a pair, of the last 90 days, oldest first. */
  hours: {
    /** Start of the hour. */
    at: string
    stage: MigrationStage
    /** Pairs that ended. */
    pairs: number
    /** Mismatches that are mild. */
    mild: number
    /** Mismatches that are serious. */
    serious: number
    /** Mismatches of the worst kind. */
    worst: number
    /** Errors of v2 alone. */
    errors: number
  }[]
  /** The last 50 that nobody acknowledged, newest first. */
  open_mismatches: Pair[]
}

/** `shadow-N`: v1 answers, and N percent of the submissions go to v2 as well. `live`: v2 answers, v1 is the shadow. `complete`: v2 answers, and nothing is compared any more. */
export type MigrationStage =
  | 'off'
  | 'shadow-1'
  | 'shadow-10'
  | 'shadow-25'
  | 'shadow-50'
  | 'shadow-100'
  | 'live'
  | 'complete'

export interface MigrationVerdict {
  advice: 'promote' | 'hold' | 'roll_back' | 'not_enough_evidence' | 'done'
  /** One or two sentences for the person on call. */
  because: string
  /** Pairs that are missing to promote if all goes on as observed; 0 if none is, null if no number will be enough. */
  missing_pairs: number | null
  /** Pairs that end a day at the present rate; null if that is not known yet. */
  pairs_per_day: number | null
  conditions: MigrationCondition[]
  /** How much more often v2 fails than v1, which the advice does not depend on; null before the first pair. */
  error_difference: MigrationErrorDifference | null
}

/** One submission at both versions, and how their answers compare. In a pair of kind `noise`, `v2` is the second submission to v1. */
export interface Pair {
  /** Id of a pair: `pair_` and a UUIDv7 in base 32. Sorts by creation time. */
  pair_id: string
  kind: 'comparison' | 'noise'
  stage: MigrationStage
  outcome:
    | 'waiting'
    | 'not_sent'
    | 'primary_failed'
    | 'candidate_failed'
    | 'unfinished'
    | 'unreadable'
    | 'mismatched'
    | 'callback_missing'
    | 'agreed'
  created_at: string
  ended_at: string | null
  v1: PairSide
  v2: PairSide
  /** Null if the decisions agree or there are not two. */
  severity: 'mild' | 'serious' | 'worst' | null
  /** Whether both refused, with different codes. */
  differs_in_code: boolean
  /** Scores beyond their tolerance. */
  differing_scores: (
    | 'document_quality'
    | 'document_authenticity'
    | 'ocr_confidence'
    | 'mrz_checks'
    | 'liveness'
    | 'face_match'
    | 'recapture'
  )[]
  /** How the fields that were read compare; never their values. */
  fields: {
    [
      name in
        | 'document_type'
        | 'document_number'
        | 'full_name'
        | 'surname'
        | 'given_names'
        | 'date_of_birth'
        | 'expiry_date'
        | 'nationality'
        | 'issuing_country'
        | 'sex'
    ]?: 'equal' | 'equal_folded' | 'reordered' | 'only_primary' | 'only_candidate' | 'different'
  }
  /** When a person looked into it; null before. */
  acknowledged_at: string | null
  /** Note of that person. */
  note: string | null
}

export interface PairSide {
  /** Null if there is none. */
  verification_id: string | null
  /** Null while it is not known. */
  ending: 'approved' | 'review' | 'declined' | 'refused' | 'failed' | 'unfinished' | null
  /** Code of a refusal; null without one. */
  error_code: string | null
  /** Codes of the reasons for the decision. */
  reason_codes: string[]
  /** Whether the id could be read back. */
  id_confirmed: boolean | null
  /** Whether a signed callback came; null if none was due. */
  called_back: boolean | null
  /** From the last byte of the submission to the answer. */
  answer_ms: number | null
  /** From the answer to the decision. */
  decision_ms: number | null
}

export interface ReasonedRequest {
  /** Why, for the history. 1 to 500 characters. */
  reason: string
  /** Who does it, for the history; the id of the key by default. 1 to 100 characters. */
  actor?: string | undefined
}

export interface StoredSubmission {
  /** Null if the subject is not in the sample. */
  pair_id: string | null
  sampled: boolean
}

/** Every error code of the service. */
export type ErrorCode =
  | 'invalid_request'
  | 'text_too_long'
  | 'missing_artifact'
  | 'invalid_signature'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'call_not_found'
  | 'verification_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'idempotency_conflict'
  | 'state_conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'invalid_phone'
  | 'number_barred'
  | 'outside_calling_hours'
  | 'call_cap_reached'
  | 'voice_not_found'
  | 'spoof_detected'
  | 'media_unreadable'
  | 'do_not_call'
  | 'incorrect_code'
  | 'rate_limit_exceeded'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable'

/** Parameters, body, response and error codes of each operation. */
export interface Operations {
  'calls.place': {
    path: {}
    query: {}
    body: PlaceCallRequest
    answer: Call
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'invalid_phone'
      | 'do_not_call'
      | 'number_barred'
      | 'outside_calling_hours'
      | 'call_cap_reached'
      | 'text_too_long'
  }
  'calls.retrieve': {
    path: {
      /** Id of the call. */
      call_id: string
    }
    query: {}
    body: undefined
    answer: Call
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'call_not_found'
  }
  'calls.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Only calls with this status. */
      status?: 'queued' | 'in-progress' | 'completed' | 'failed' | undefined
    }
    body: undefined
    answer: {
      data: Call[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Call
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'calls.cancel': {
    path: {
      /** Id of the call. */
      call_id: string
    }
    query: {}
    body: undefined
    answer: Call
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'call_not_found'
      | 'state_conflict'
  }
  'calls.recording': {
    path: {
      /** Id of the call. */
      call_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'call_not_found'
      | 'not_found'
  }
  'calls.transcript': {
    path: {
      /** Id of the call. */
      call_id: string
    }
    query: {}
    body: undefined
    answer: CallTranscript
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'call_not_found'
      | 'not_found'
  }
  'calls.removeRecording': {
    path: {
      /** Id of the call. */
      call_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'call_not_found'
      | 'not_found'
      | 'state_conflict'
  }
  'agents.list': {
    path: {}
    query: {}
    body: undefined
    answer: AgentList
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'speech.stream': {
    path: {}
    query: {}
    body: StreamSpeechRequest
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'text_too_long'
      | 'voice_not_found'
  }
  'synthesis.synthesize': {
    path: {}
    query: {}
    body: SynthesizeRequest
    answer: SynthesisDescriptor
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'text_too_long'
      | 'voice_not_found'
  }
  'synthesis.stream': {
    path: {}
    query: {}
    body: EngineStreamRequest
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'text_too_long'
      | 'voice_not_found'
  }
  'synthesis.languages': {
    path: {}
    query: {}
    body: undefined
    answer: EngineLanguages
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'synthesis.clone': {
    path: {}
    query: {}
    body: {
      /** Name of the voice. */
      name: string
      /** Language of the samples. */
      language?: string | undefined
      /** Must be `true`: confirms that the speaker consents to this voice. */
      consent: string
      /** 1 to 5 recordings of the speaker, 3 to 60 s each. */
      samples: readonly MediaSource[]
    }
    answer: Voice
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'media_unreadable'
      | 'state_conflict'
  }
  'watermark.detect': {
    path: {}
    query: {}
    body: {
      /** Recording of up to 300 s. Five seconds of speech are enough to detect the watermark, ten to find the request. */
      audio: MediaSource
    }
    answer: WatermarkDetection
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'media_unreadable'
  }
  'lexicons.list': {
    path: {}
    query: {}
    body: undefined
    answer: LexiconList
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'lexicons.retrieve': {
    path: {
      /** Up to 35 characters. */
      language: string
    }
    query: {}
    body: undefined
    answer: Lexicon
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'lexicons.replace': {
    path: {
      /** Up to 35 characters. */
      language: string
    }
    query: {}
    body: ReplaceLexiconRequest
    answer: Lexicon
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'state_conflict'
  }
  'lexicons.remove': {
    path: {
      /** Up to 35 characters. */
      language: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'voices.clone': {
    path: {}
    query: {}
    body: {
      /** Name of the voice. */
      name: string
      /** Language of the samples. */
      language?: string | undefined
      /** Must be `true`: confirms that the speaker consents to this voice. */
      consent: string
      /** 1 to 5 recordings of the speaker, 3 to 60 s each. */
      samples: readonly MediaSource[]
    }
    answer: Voice
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'media_unreadable'
      | 'state_conflict'
  }
  'voices.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      data: Voice[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Voice
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'voices.remove': {
    path: {
      /** Id of the voice. */
      voice_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'identity.submitV1': {
    path: {}
    query: {}
    body: {
      /** Front of the document. */
      front_image: MediaSource
      /** Back of the document. */
      back_image: MediaSource
      /** Liveness video: MP4, MOV or WebM, 3 to 10 seconds. */
      liveness_video: MediaSource
      /** Your stable reference for the person. */
      external_id?: string | undefined
      /** URL that receives the final decision. */
      callback_url?: string | undefined
    }
    answer: Verification
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'missing_artifact'
      | 'spoof_detected'
      | 'media_unreadable'
  }
  'identity.submitV2': {
    path: {}
    query: {}
    body: SubmitVerificationRequest
    answer: Verification
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'missing_artifact'
      | 'spoof_detected'
      | 'media_unreadable'
  }
  'identity.retrieve': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {
      /** `extracted` adds the OCR fields to the response. */
      include_media?: 'extracted' | undefined
    }
    body: undefined
    answer: Verification
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'verification_not_found'
      | 'invalid_signature'
  }
  'identity.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Only verifications with this status. */
      status?: 'pending' | 'approved' | 'review' | 'declined' | undefined
      /** Only verifications of this person. 1 to 200 characters. */
      external_id?: string | undefined
    }
    body: undefined
    answer: {
      data: Verification[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Verification
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'identity.review': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {}
    body: ReviewRequest
    answer: Verification
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'verification_not_found'
      | 'state_conflict'
  }
  'identity.reconsider': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {}
    body: ReconsiderRequest
    answer: Verification
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'verification_not_found'
      | 'state_conflict'
  }
  'identity.removeMedia': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'verification_not_found'
      | 'state_conflict'
  }
  'identity.subject': {
    path: {
      /** Your stable reference for the person. Reuse it to link attempts, including those of the other submission version. 1 to 200 characters. */
      external_id: string
    }
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      data: Verification[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Verification
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'identity.eraseSubject': {
    path: {
      /** Your stable reference for the person. Reuse it to link attempts, including those of the other submission version. 1 to 200 characters. */
      external_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'state_conflict'
  }
  'reviews.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** `person` lists those of which a picture or the video was asked for again. Default: `"reviewer"`. */
      waiting_for?: 'reviewer' | 'person' | undefined
      /** Only those that somebody works on, or that nobody works on. */
      claimed?: 'true' | 'false' | undefined
      /** Only those that this person works on: the `reviewer` that a request named, or the id of a key. 1 to 200 characters. */
      claimed_by?: string | undefined
      /** Only those with a reason of this code. 1 to 100 characters. */
      reason?: string | undefined
      /** Only those of this policy. 1 to 100 characters. */
      policy?: string | undefined
      /** Only those of this person. 1 to 200 characters. */
      external_id?: string | undefined
      /** Only those submitted before this time. */
      created_before?: string | undefined
      /** Only those submitted at or after this time. */
      created_after?: string | undefined
    }
    body: undefined
    answer: {
      data: Review[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Review
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'reviews.counts': {
    path: {}
    query: {}
    body: undefined
    answer: ReviewCounts
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'reviews.claimNext': {
    path: {}
    query: {}
    body: ReviewActionRequest
    answer: ClaimedReview
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
  }
  'reviews.retrieve': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {}
    body: undefined
    answer: Review
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'verification_not_found'
  }
  'reviews.claim': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {}
    body: ReviewActionRequest
    answer: Review
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'verification_not_found'
      | 'state_conflict'
  }
  'reviews.release': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {}
    body: ReviewActionRequest
    answer: Review
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'verification_not_found'
      | 'state_conflict'
  }
  'reviews.ask': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {}
    body: AskAgainRequest
    answer: Review
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'verification_not_found'
      | 'state_conflict'
  }
  'reviews.addNote': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {}
    body: AddNoteRequest
    answer: ReviewEntry
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'verification_not_found'
      | 'state_conflict'
  }
  'reviews.history': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      data: ReviewEntry[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: ReviewEntry
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'verification_not_found'
  }
  'reviews.media': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {
      /** What to look at. */
      artifact: 'front_image' | 'back_image' | 'liveness_video' | 'reference_portrait'
      /** Your reference for the person at work, such as a staff number. Omit it if each person has a key of their own. It is recorded. Where several people must agree, only a key with the scope `identity:vouch` speaks for several. 1 to 200 characters. */
      reviewer?: string | undefined
    }
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'verification_not_found'
      | 'not_found'
  }
  'reviews.frames': {
    path: {
      /** Id of the verification, from either submission version. */
      verification_id: string
    }
    query: {
      /** Your reference for the person at work, such as a staff number. Omit it if each person has a key of their own. It is recorded. Where several people must agree, only a key with the scope `identity:vouch` speaks for several. 1 to 200 characters. */
      reviewer?: string | undefined
    }
    body: undefined
    answer: VideoFrames
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'verification_not_found'
      | 'not_found'
  }
  'models.list': {
    path: {}
    query: {}
    body: undefined
    answer: ModelList
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'models.retrieve': {
    path: {
      /** 1 to 200 characters. */
      model: string
    }
    query: {}
    body: undefined
    answer: Model
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'models.usage': {
    path: {}
    query: {
      /** First day in UTC. Default: the beginning. */
      from?: string | undefined
      /** Last day in UTC. Default: today. */
      to?: string | undefined
      /** Default: all models. 1 to 200 characters. */
      model?: string | undefined
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: ModelUsagePage
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'models.chat': {
    path: {}
    query: {}
    body: ChatCompletionRequest
    answer: ChatCompletion
    item: ChatCompletionChunk
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'models.respond': {
    path: {}
    query: {}
    body: ModelResponseRequest
    answer: ModelResponse
    item: ModelResponseEvent
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'models.embed': {
    path: {}
    query: {}
    body: EmbeddingRequest
    answer: EmbeddingList
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'models.complete': {
    path: {}
    query: {}
    body: CompletionRequest
    answer: Completion
    item: Completion
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'models.moderate': {
    path: {}
    query: {}
    body: ModerationRequest
    answer: Moderation
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'models.draw': {
    path: {}
    query: {}
    body: ImageRequest
    answer: ImageList
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'models.transcribe': {
    path: {}
    query: {}
    body: {
      /** Recording, in a format that the model reads. */
      file: MediaSource
      /** Name of a model that an upstream has for this. */
      model: string
      /** Language of the speech, as in `ne`. */
      language?: string | undefined
      /** Words that guide the model. */
      prompt?: string | undefined
      /** What to answer with, if the model can. Default: `json`. */
      response_format?: string | undefined
      /** Randomness, from 0. */
      temperature?: string | undefined
      /** What has times in `verbose_json`. May be sent twice. */
      'timestamp_granularities[]'?: string | undefined
      /** Whether to send the transcript in events while it is made. */
      stream?: string | undefined
    }
    answer: Transcription
    item: TranscriptionEvent
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'models.translate': {
    path: {}
    query: {}
    body: {
      /** Recording, in a format that the model reads. */
      file: MediaSource
      /** Name of a model that an upstream has for this. */
      model: string
      /** Language of the speech, as in `ne`. */
      language?: string | undefined
      /** Words that guide the model. */
      prompt?: string | undefined
      /** What to answer with, if the model can. Default: `json`. */
      response_format?: string | undefined
      /** Randomness, from 0. */
      temperature?: string | undefined
      /** What has times in `verbose_json`. May be sent twice. */
      'timestamp_granularities[]'?: string | undefined
      /** Whether to send the transcript in events while it is made. */
      stream?: string | undefined
    }
    answer: Transcription
    item: TranscriptionEvent
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'models.createFile': {
    path: {}
    query: {}
    body: {
      /** Up to 10000 requests as lines of JSON, all with the same model in their body. */
      file: MediaSource
      /** Must be `batch`: other files are not passed on. */
      purpose: string
    }
    answer: StoredFile
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
  }
  'models.listFiles': {
    path: {}
    query: {
      /** `last_id` of the previous page. */
      after?: string | undefined
      /** Maximum number of objects to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** Returns only files that have this purpose, such as `batch` or `batch_output`. Up to 64 characters. */
      purpose?: string | undefined
      /** `desc` for the newest first, `asc` for the oldest first. Default: `"desc"`. */
      order?: 'asc' | 'desc' | undefined
    }
    body: undefined
    answer: {
      object: 'list'
      data: StoredFile[]
      first_id: string | null
      last_id: string | null
      has_more: boolean
    }
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'models.retrieveFile': {
    path: {
      file_id: string
    }
    query: {}
    body: undefined
    answer: StoredFile
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'models.readFile': {
    path: {
      file_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    item: StoredLine
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'models.removeFile': {
    path: {
      file_id: string
    }
    query: {}
    body: undefined
    answer: RemovedFile
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'models.createBatch': {
    path: {}
    query: {}
    body: CreateStoredBatch
    answer: StoredBatch
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
  }
  'models.listBatches': {
    path: {}
    query: {
      /** `last_id` of the previous page. */
      after?: string | undefined
      /** Maximum number of objects to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
    }
    body: undefined
    answer: {
      object: 'list'
      data: StoredBatch[]
      first_id: string | null
      last_id: string | null
      has_more: boolean
    }
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'models.retrieveBatch': {
    path: {
      stored_batch_id: string
    }
    query: {}
    body: undefined
    answer: StoredBatch
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'models.cancelBatch': {
    path: {
      stored_batch_id: string
    }
    query: {}
    body: undefined
    answer: StoredBatch
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'models.speech': {
    path: {}
    query: {}
    body: SpeechRequest
    answer: undefined
    item: SpeechEvent
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'text_too_long'
      | 'voice_not_found'
  }
  'models.ocr': {
    path: {}
    query: {}
    body: OcrRequest
    answer: OcrResult
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'missing_artifact'
      | 'media_unreadable'
  }
  'models.ocrDocument': {
    path: {
      /** Id of the document. */
      document_id: string
    }
    query: {
      /** Number of the last page that you have. Only later ones are returned. 0 to 50. Default: `0`. */
      after?: number | undefined
    }
    body: undefined
    answer: OcrDocumentPages
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'batches.create': {
    path: {}
    query: {}
    body: CreateBatchRequest
    answer: Batch
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'text_too_long'
      | 'state_conflict'
  }
  'batches.retrieve': {
    path: {
      /** Id of the batch. */
      batch_id: string
    }
    query: {}
    body: undefined
    answer: Batch
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'batches.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      data: Batch[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Batch
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'batches.results': {
    path: {
      /** Id of the batch. */
      batch_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    item: BatchResult
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'batches.cancel': {
    path: {
      /** Id of the batch. */
      batch_id: string
    }
    query: {}
    body: undefined
    answer: Batch
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
  }
  'deployments.create': {
    path: {}
    query: {}
    body: DeployRequest
    answer: CreatedDeployment
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'state_conflict'
  }
  'deployments.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      data: Deployment[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Deployment
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'deployments.retrieve': {
    path: {
      /** Id of the deployment. */
      deployment_id: string
    }
    query: {}
    body: undefined
    answer: Deployment
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'deployments.revoke': {
    path: {
      /** Id of the deployment. */
      deployment_id: string
    }
    query: {}
    body: undefined
    answer: Deployment
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'deployments.issuer': {
    path: {}
    query: {}
    body: undefined
    answer: LicenseIssuer
    errorCode: 'invalid_request' | 'internal_error' | 'service_unavailable' | 'rate_limit_exceeded'
  }
  'members.invite': {
    path: {}
    query: {}
    body: InviteMemberRequest
    answer: InvitedMember
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
  }
  'members.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Account to act on; defaults to the key’s own. Only an operator’s key may name another. */
      account_id?: string | undefined
    }
    body: undefined
    answer: {
      data: Member[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Member
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'members.retrieve': {
    path: {
      /** Id of the member. */
      member_id: string
    }
    query: {}
    body: undefined
    answer: Member
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'members.update': {
    path: {
      /** Id of the member. */
      member_id: string
    }
    query: {}
    body: UpdateMemberRequest
    answer: Member
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
      | 'state_conflict'
  }
  'members.inviteAgain': {
    path: {
      /** Id of the member. */
      member_id: string
    }
    query: {}
    body: InviteAgainRequest
    answer: InvitedMember
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
  }
  'members.remove': {
    path: {
      /** Id of the member. */
      member_id: string
    }
    query: {}
    body: undefined
    answer: Member
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'requests.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Only the request with this id. 1 to 100 characters. */
      request_id?: string | undefined
      /** Only those made with this key, or in the console by whoever signed in with it. */
      key_id?: string | undefined
      /** Only those for this route, such as `calls.place`. 1 to 100 characters. */
      operation?: string | undefined
      /** Only those with this status. 400 to 599. */
      status?: number | undefined
      /** Only those with this error code. 1 to 100 characters. */
      code?: string | undefined
    }
    body: undefined
    answer: {
      data: RefusedRequest[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: RefusedRequest
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'requests.summary': {
    path: {}
    query: {}
    body: undefined
    answer: RefusalSummary
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'limits.retrieve': {
    path: {}
    query: {}
    body: undefined
    answer: LimitUse
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'doNotCall.add': {
    path: {}
    query: {}
    body: AddListedNumberRequest
    answer: ListedNumber
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'invalid_phone'
  }
  'doNotCall.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Only this number, in E.164. The page is empty if it is not on the list. */
      phone_number?: string | undefined
    }
    body: undefined
    answer: {
      data: ListedNumber[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: ListedNumber
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'invalid_phone'
  }
  'doNotCall.remove': {
    path: {
      /** Id of the listed number. */
      listed_number_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'doNotCall.importCsv': {
    path: {}
    query: {}
    body: ImportListedNumbersRequest
    answer: ListedNumbersImport
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
  }
  'doNotCall.exportCsv': {
    path: {}
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'doNotCall.addForAll': {
    path: {}
    query: {}
    body: AddListedNumberRequest
    answer: ListedNumber
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'invalid_phone'
  }
  'doNotCall.listForAll': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Only this number, in E.164. The page is empty if it is not on the list. */
      phone_number?: string | undefined
    }
    body: undefined
    answer: {
      data: ListedNumber[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: ListedNumber
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'invalid_phone'
  }
  'doNotCall.removeForAll': {
    path: {
      /** Id of the listed number. */
      listed_number_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'doNotCall.importCsvForAll': {
    path: {}
    query: {}
    body: ImportListedNumbersRequest
    answer: ListedNumbersImport
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
  }
  'doNotCall.exportCsvForAll': {
    path: {}
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'callerIds.start': {
    path: {}
    query: {}
    body: StartCallerIdRequest
    answer: StartedCallerId
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'invalid_phone'
      | 'number_barred'
      | 'outside_calling_hours'
      | 'do_not_call'
      | 'state_conflict'
  }
  'callerIds.verify': {
    path: {
      /** Id of the caller id. */
      caller_id_id: string
    }
    query: {}
    body: VerifyCallerIdRequest
    answer: OwnCallerId
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
      | 'incorrect_code'
  }
  'callerIds.retrieve': {
    path: {
      /** Id of the caller id. */
      caller_id_id: string
    }
    query: {}
    body: undefined
    answer: OwnCallerId
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'callerIds.list': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      data: OwnCallerId[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: OwnCallerId
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'callerIds.remove': {
    path: {
      /** Id of the caller id. */
      caller_id_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'webhooks.createEndpoint': {
    path: {}
    query: {}
    body: CreateWebhookEndpointRequest
    answer: {
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
      /** Until then, `webhook-signature` also contains a signature with the previous secret. */
      previous_secret_until: string | null
      /** Secret that signs deliveries; shown only once. */
      secret: string
    }
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'state_conflict'
  }
  'webhooks.listEndpoints': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      data: WebhookEndpoint[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: WebhookEndpoint
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'webhooks.retrieveEndpoint': {
    path: {
      /** Id of the endpoint. */
      endpoint_id: string
    }
    query: {}
    body: undefined
    answer: WebhookEndpoint
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'webhooks.updateEndpoint': {
    path: {
      /** Id of the endpoint. */
      endpoint_id: string
    }
    query: {}
    body: UpdateWebhookEndpointRequest
    answer: WebhookEndpoint
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'webhooks.deleteEndpoint': {
    path: {
      /** Id of the endpoint. */
      endpoint_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'webhooks.rotateSecret': {
    path: {
      /** Id of the endpoint. */
      endpoint_id: string
    }
    query: {}
    body: RotateWebhookSecretRequest
    answer: WebhookSecret
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'webhooks.rotateAccountSecret': {
    path: {}
    query: {}
    body: RotateAccountWebhookSecretRequest
    answer: WebhookSecret
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
  }
  'webhooks.sendTestEvent': {
    path: {
      /** Id of the endpoint. */
      endpoint_id: string
    }
    query: {}
    body: SendTestEventRequest
    answer: WebhookDelivery
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
  }
  'webhooks.listDeliveries': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Only deliveries with this status. */
      status?: 'pending' | 'delivered' | 'dead' | undefined
      /** Only deliveries to this endpoint, even if it has been deleted. Up to 64 characters. */
      endpoint_id?: string | undefined
      /** Only deliveries of the event with this `webhook-id`. Up to 64 characters. */
      event_id?: string | undefined
      /** Only deliveries of events of this type. */
      event_type?:
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
        | undefined
      /** Only deliveries about this call, verification or endpoint. Up to 64 characters. */
      object_id?: string | undefined
      /** Only deliveries created at this time or later. */
      created_after?: string | undefined
      /** Only deliveries created before this time. */
      created_before?: string | undefined
    }
    body: undefined
    answer: {
      data: WebhookDelivery[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: WebhookDelivery
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'webhooks.retrieveDelivery': {
    path: {
      /** Id of the delivery. */
      delivery_id: string
    }
    query: {}
    body: undefined
    answer: WebhookDeliveryDetail
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'webhooks.resend': {
    path: {
      /** Id of the delivery. */
      delivery_id: string
    }
    query: {}
    body: undefined
    answer: WebhookDelivery
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
  }
  'webhooks.recover': {
    path: {}
    query: {}
    body: RecoverDeliveriesRequest
    answer: RecoverDeliveriesResponse
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
  }
  'admin.createAccount': {
    path: {}
    query: {}
    body: CreateAccountRequest
    answer: CreatedAccount
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
  }
  'admin.listAccounts': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      data: Account[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Account
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'admin.updateAccount': {
    path: {
      /** Id of the account. */
      account_id: string
    }
    query: {}
    body: UpdateAccountRequest
    answer: Account
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'admin.createKey': {
    path: {}
    query: {}
    body: CreateKeyRequest
    answer: CreatedApiKey
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
  }
  'admin.listKeys': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Account to act on; defaults to the key’s own. Only an operator’s key may name another. */
      account_id?: string | undefined
    }
    body: undefined
    answer: {
      data: ApiKey[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: ApiKey
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'admin.revokeKey': {
    path: {
      /** Id of the key. */
      key_id: string
    }
    query: {}
    body: undefined
    answer: ApiKey
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
      | 'state_conflict'
  }
  'admin.listAuditLog': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Only entries of this object. 1 to 64 characters. */
      object_id?: string | undefined
    }
    body: undefined
    answer: {
      data: AuditEntry[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: AuditEntry
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'admin.addCallerId': {
    path: {}
    query: {}
    body: AddCallerIdRequest
    answer: CallerId
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'invalid_phone'
  }
  'admin.listCallerIds': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Account to act on; defaults to the key’s own. Only an operator’s key may name another. */
      account_id?: string | undefined
    }
    body: undefined
    answer: {
      data: CallerId[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: CallerId
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'admin.removeCallerId': {
    path: {
      /** Id of the caller id. */
      caller_id_id: string
    }
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'not_found'
  }
  'admin.upsertAgent': {
    path: {
      /** Id of the agent. */
      agent_id: string
    }
    query: {}
    body: UpsertAgentRequest
    answer: Agent
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'voice_not_found'
      | 'state_conflict'
  }
  'system.health': {
    path: {}
    query: {}
    body: undefined
    answer: Health
    errorCode: 'invalid_request' | 'internal_error' | 'service_unavailable'
  }
  'system.ready': {
    path: {}
    query: {}
    body: undefined
    answer: Readiness
    errorCode: 'invalid_request' | 'internal_error' | 'service_unavailable'
  }
  'system.openapi': {
    path: {}
    query: {}
    body: undefined
    answer: { [name: string]: JsonValue }
    errorCode: 'invalid_request' | 'internal_error' | 'service_unavailable' | 'rate_limit_exceeded'
  }
  'synthesis.socket': {
    path: {}
    query: {
      /** `synth-v1` is high-fidelity and multilingual, `synth-l1` lightweight and `synth-l2` ultra-lightweight. Default: `"synth-v1"`. */
      model?: 'synth-v1' | 'synth-l1' | 'synth-l2' | undefined
      /** `default`, `alt1`, `alt2` or the id of a cloned voice. 1 to 64 characters. Default: `"default"`. */
      voice?: string | undefined
      /** Language of the text. Up to 35 characters. Default: `"en-US"`. */
      language?: string | undefined
      /** `strip` leaves out the signs of Markdown, its blocks of code and the commands of LaTeX; `keep` speaks them as text. All other markup, such as SSML, is always text. Default: `"strip"`. */
      markup?: 'keep' | 'strip' | undefined
      /** Emotion until the first message that sets one. Default: `"neutral"`. */
      emotion?: 'neutral' | 'friendly' | 'professional' | 'excited' | 'calm' | 'warm' | undefined
      /** Rate of speech. Default: `1`. */
      speed?: number | undefined
    }
    body: EngineSocketClientMessage
    answer: undefined
    item: EngineSocketServerMessage
    errorCode:
      | 'invalid_request'
      | 'text_too_long'
      | 'request_timeout'
      | 'rate_limit_exceeded'
      | 'internal_error'
      | 'service_unavailable'
  }
  'migration.retrieve': {
    path: {}
    query: {}
    body: undefined
    answer: Migration
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'migration.check': {
    path: {}
    query: {}
    body: undefined
    answer: MigrationChecks
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'migration.changeStage': {
    path: {}
    query: {}
    body: ChangeStageRequest
    answer: Migration
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'state_conflict'
  }
  'migration.rollBack': {
    path: {}
    query: {}
    body: ReasonedRequest
    answer: Migration
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'state_conflict'
  }
  'migration.setKillSwitch': {
    path: {}
    query: {}
    body: KillSwitchRequest
    answer: Migration
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'state_conflict'
  }
  'migration.restartEvidence': {
    path: {}
    query: {}
    body: ReasonedRequest
    answer: Migration
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'state_conflict'
  }
  'migration.listChanges': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      data: MigrationChange[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: MigrationChange
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'migration.listPairs': {
    path: {}
    query: {
      /** Maximum number of items to return. 1 to 100. Default: `20`. */
      limit?: number | undefined
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined
      /** Only pairs with this outcome. */
      outcome?:
        | 'waiting'
        | 'not_sent'
        | 'primary_failed'
        | 'candidate_failed'
        | 'unfinished'
        | 'unreadable'
        | 'mismatched'
        | 'callback_missing'
        | 'agreed'
        | undefined
      /** Only mismatches of this severity. */
      severity?: 'mild' | 'serious' | 'worst' | undefined
      /** Only pairs of this kind. */
      kind?: 'comparison' | 'noise' | undefined
      /** `true` leaves only mismatches that nobody acknowledged. */
      open?: 'true' | undefined
    }
    body: undefined
    answer: {
      data: Pair[]
      /** Whether there is another page. */
      has_more: boolean
      /** Pass as `cursor` to get the next page; null on the last page. */
      next_cursor: string | null
    }
    item: Pair
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'migration.retrievePair': {
    path: {
      /** Id of the pair. */
      pair_id: string
    }
    query: {}
    body: undefined
    answer: Pair
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'not_found'
  }
  'migration.acknowledgePair': {
    path: {
      /** Id of the pair. */
      pair_id: string
    }
    query: {}
    body: AcknowledgeRequest
    answer: Pair
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'not_found'
      | 'state_conflict'
  }
  'migration.report': {
    path: {}
    query: {}
    body: undefined
    answer: MigrationReport
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'migration.reportPage': {
    path: {}
    query: {}
    body: undefined
    answer: undefined
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
  }
  'migration.submit': {
    path: {}
    query: {}
    body: {
      /** Front of the document. */
      front_image: MediaSource
      /** Back of the document. */
      back_image: MediaSource
      /** Liveness video: MP4, MOV or WebM, 3 to 10 seconds. */
      liveness_video: MediaSource
      /** Your stable reference for the person. */
      external_id?: string | undefined
      /** URL that receives the final decision. */
      callback_url?: string | undefined
      /** Version that answered it; v1 if `verification_id` is there. Without both, v1 gets it first. */
      answered_by?: string | undefined
      /** Id that it got there. */
      verification_id?: string | undefined
    }
    answer: StoredSubmission
    errorCode:
      | 'invalid_request'
      | 'internal_error'
      | 'service_unavailable'
      | 'unauthorized'
      | 'forbidden'
      | 'rate_limit_exceeded'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_conflict'
      | 'missing_artifact'
      | 'state_conflict'
  }
}
