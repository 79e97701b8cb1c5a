/** The body of a fuzzed request. */
export interface FuzzBody {
  bytes: Buffer | null
  /** Whether it is a valid body that a client would send. */
  isKnownGood: boolean
}
