/** What the calls feature offers to the other features. */
export interface CallsPort {
  /** Names of the carriers that dial. */
  carriers: readonly string[]
  /** Describes the health of those that know it; empty in a process that dials no calls. */
  describeHealth(): Readonly<Record<string, string>>
}
