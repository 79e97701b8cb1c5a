/** What was wrong with the use of a carrier. */
export type CarrierErrorCode = 'carrier_closed' | 'invalid_number' | 'invalid_limit' | 'invalid_frame'

/** A carrier was used wrongly. What happens to a call is never an error but an event. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError'
  readonly code: CarrierErrorCode

  constructor(code: CarrierErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
