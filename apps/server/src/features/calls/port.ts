/** What the calls feature offers to the other features. */
export interface CallsPort {
  /** Names of the carriers that dial. */
  carriers: readonly string[]
}
