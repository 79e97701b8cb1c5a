import type { ErrorCode, FailureCode } from '@vaani/client'

/** Exit code of a run, by error family. Published: a number never changes its meaning. */
export const EXIT_CODES = {
  ok: 0,
  /** A bug in this program, or an unknown error. */
  unexpected: 1,
  /** Wrong arguments, or a problem with a file that they name. */
  usage: 2,
  /** No key, a wrong key, or a key without the scope. */
  access: 3,
  not_found: 4,
  /** The service rejected the request. */
  rejected: 5,
  /** The state of the resource does not allow the operation. */
  conflict: 6,
  /** Too many requests. */
  limited: 7,
  /** The connection or the service failed. */
  unavailable: 8,
  /** Time ran out, or there is no final state or not enough evidence yet. */
  pending: 9,
  /**
   * The call failed, the verification was declined, a batch or a request of it failed, no watermark was detected, or the
   * evidence advises to roll back.
   */
  unsuccessful: 10,
  /** A person must decide: the checks left the decision open, or the evidence advises to hold. */
  review: 11,
  /** 128 plus the number of SIGINT, the convention of shells. */
  interrupted: 130,
} as const

export type ExitFamily = keyof typeof EXIT_CODES

/** Family of each error code of the client. The compiler requires a row for every new code in the contracts. */
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

/** @param code code of a client error; a newer server may send one that this version does not know */
export const familyOf = (code: string): ExitFamily => families.get(code) ?? 'unexpected'
