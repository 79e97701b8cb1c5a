import type { ErrorCode, FailureCode } from '@vaani/client'
import { ERROR_STATUSES } from '../generated/error-statuses.ts'

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

/** Family of the error codes of the service, by their status. */
const FAMILIES_BY_STATUS = {
  400: 'rejected',
  401: 'access',
  403: 'access',
  404: 'not_found',
  405: 'unexpected',
  408: 'unavailable',
  409: 'conflict',
  413: 'rejected',
  415: 'unexpected',
  422: 'rejected',
  429: 'limited',
  431: 'rejected',
  500: 'unavailable',
  503: 'unavailable',
} as const satisfies Record<(typeof ERROR_STATUSES)[ErrorCode], ExitFamily>

/** Family of each code of the client itself. */
const FAMILIES = {
  unrecognized: 'unavailable',
  connection_failed: 'unavailable',
  stream_truncated: 'unavailable',
  stream_stalled: 'unavailable',
  stream_consumed: 'unexpected',
  backlog_full: 'unavailable',
  timed_out: 'pending',
  still_pending: 'pending',
  aborted: 'interrupted',
} as const satisfies Record<FailureCode | 'unrecognized', ExitFamily>

const families: ReadonlyMap<string, ExitFamily> = new Map<string, ExitFamily>([
  ...Object.entries(ERROR_STATUSES).map(([code, status]) => [code, FAMILIES_BY_STATUS[status]] as const),
  ...Object.entries(FAMILIES),
])

/** @param code code of a client error; a newer server may send one that this version does not know */
export const familyOf = (code: string): ExitFamily => families.get(code) ?? 'unexpected'
