/** Kind of misuse of a carrier. */
export type CarrierErrorCode =
  | 'carrier_closed'
  | 'invalid_number'
  | 'invalid_limit'
  | 'invalid_frame'
  | 'not_ringing'

/** Reports misuse of a carrier. The fate of a call is never an error; its events report it. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError'
  readonly code: CarrierErrorCode

  constructor(code: CarrierErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
