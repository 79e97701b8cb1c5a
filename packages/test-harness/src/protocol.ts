/** Settings of a server process, passed as JSON in the variable `VAANI_TESTING`. */
export interface TestingSettings {
  /** Offset of its clock from the wall clock, in ms. */
  readonly offsetMs: number
  /** Speed of the simulator of phones as a multiple of real time. */
  readonly phoneSpeed: number
  /** Deleted at the end. */
  readonly temporaryDirectory: string
  /** Directory of the embedded Postgres that all tests on this machine share; unused if `DATABASE_URL` is set. */
  readonly postgresDirectory: string
}

/** Message to the server. */
export interface AdvanceMessage {
  readonly type: 'advance'
  /** New offset of its clock from the wall clock. */
  readonly offsetMs: number
}

/** Message from the server. */
export type ServerMessage =
  | { readonly type: 'started'; readonly url: string; readonly key: string }
  | { readonly type: 'advanced'; readonly offsetMs: number }
