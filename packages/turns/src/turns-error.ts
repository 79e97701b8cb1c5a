const MESSAGES = {
  queue_full: 'Too many requests wait for a place already',
  too_late: 'No place became free in time',
  aborted: 'The wait for a place was aborted',
  closed: 'The places are closed',
} as const

/** Why a request got no place. */
export type TurnsErrorCode = keyof typeof MESSAGES

/** A request got no place. Its message names nobody. */
export class TurnsError extends Error {
  override readonly name = 'TurnsError'
  readonly code: TurnsErrorCode

  constructor(code: TurnsErrorCode) {
    super(MESSAGES[code])
    this.code = code
  }
}
