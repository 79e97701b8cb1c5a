/** What a fuzzed request sends. */
export interface FuzzBody {
  bytes: Buffer | null
  /** Whether it is what a client would send. */
  isKnownGood: boolean
}
