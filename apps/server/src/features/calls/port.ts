/** What other features use of calls. */
export interface CallsPort {
  /** Name of the carrier that dials. */
  carrier: string
}
