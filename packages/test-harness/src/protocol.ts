/** Settings of a server's process, as JSON in the variable `VAANI_TESTING`. */
export interface TestingSettings {
  /** How far its clock is ahead of the time of day, in ms. */
  readonly offsetMs: number
  /** How many times as fast as life the loopback phone is. */
  readonly phoneSpeed: number
  /** Deleted at the end. */
  readonly temporaryDirectory: string
  /** Where the embedded Postgres of all tests of this machine is; unused where `DATABASE_URL` is set. */
  readonly postgresDirectory: string
}

/** To the server. */
export interface AdvanceMessage {
  readonly type: 'advance'
  /** Of its clock from the time of day, from now on. */
  readonly offsetMs: number
}

/** From the server. */
export type ServerMessage =
  | { readonly type: 'started'; readonly url: string; readonly key: string }
  | { readonly type: 'advanced'; readonly offsetMs: number }
