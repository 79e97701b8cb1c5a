import type { ErrorCode, FailureCode } from '@vaani/client'

/** What a run ends with, by the family of what went wrong. Published: a number never changes its meaning. */
export const EXIT_CODES = {
  ok: 0,
  /** A fault of this program, or something that it does not know. */
  unexpected: 1,
  /** The arguments, or a file that they name. */
  usage: 2,
  /** No key, a wrong key, or a key without the scope. */
  access: 3,
  not_found: 4,
  /** The service does not take what was sent. */
  rejected: 5,
  /** The state of the resource does not allow it. */
  conflict: 6,
  /** Too many requests. */
  limited: 7,
  /** The connection or the service failed. */
  unavailable: 8,
  /** Time ran out, or there is no final state yet. */
  pending: 9,
  /** It was waited for, and it ended badly: the call failed, the verification was declined. */
  unsuccessful: 10,
  /** It was waited for, and the checks left it to a person. */
  review: 11,
  /** 128 and the number of SIGINT, as shells count. */
  interrupted: 130,
} as const

export type ExitFamily = keyof typeof EXIT_CODES

/** The family of each code of the client; the compiler asks for a row when the contracts get a new one. */
const FAMILIES = {
  invalid_request: 'rejected',
  text_too_long: 'rejected',
  missing_artifact: 'rejected',
  invalid_signature: 'rejected',
  unauthorized: 'access',
  forbidden: 'access',
  not_found: 'not_found',
  call_not_found: 'not_found',
  verification_not_found: 'not_found',
  method_not_allowed: 'unexpected',
  request_timeout: 'unavailable',
  idempotency_conflict: 'conflict',
  state_conflict: 'conflict',
  payload_too_large: 'rejected',
  unsupported_media_type: 'unexpected',
  invalid_phone: 'rejected',
  voice_not_found: 'rejected',
  spoof_detected: 'rejected',
  media_unreadable: 'rejected',
  rate_limit_exceeded: 'limited',
  headers_too_large: 'rejected',
  internal_error: 'unavailable',
  service_unavailable: 'unavailable',
  unrecognized: 'unavailable',
  connection_failed: 'unavailable',
  stream_truncated: 'unavailable',
  stream_stalled: 'unavailable',
  stream_consumed: 'unexpected',
  backlog_full: 'unavailable',
  timed_out: 'pending',
  still_pending: 'pending',
  aborted: 'interrupted',
} as const satisfies Record<ErrorCode | FailureCode | 'unrecognized', ExitFamily>

const families: ReadonlyMap<string, ExitFamily> = new Map(Object.entries(FAMILIES))

/** @param code of a client's error; a newer server may send one that this version does not list */
export const familyOf = (code: string): ExitFamily => families.get(code) ?? 'unexpected'
