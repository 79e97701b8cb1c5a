/** What the calls feature offers to the other features. */
export interface CallsPort {
  /** Name of the carrier that dials. */
  carrier: string
}
