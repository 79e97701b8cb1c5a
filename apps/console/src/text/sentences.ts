import type {
  AbortedError,
  ConnectionError,
  ConsumedStreamError,
  MigrationVerdict,
  SessionError,
  StalledStreamError,
  StillPending,
  TimeoutError,
  TruncatedStreamError,
  Verification,
} from '@vaani/client'

export type Reason = NonNullable<Verification['reasons']>[number]
export type ReasonTexts = Pick<Reason, 'message' | 'next_step'>

/** Codes of errors that no server sends. */
type ClientCode =
  | (
      | AbortedError
      | ConnectionError
      | ConsumedStreamError
      | StalledStreamError
      | StillPending
      | TimeoutError
      | TruncatedStreamError
    )['code']
  | Extract<SessionError['code'], 'unrecognized' | 'backlog_full'>

/** Translations of what the server and its client say in English. */
export interface Sentences {
  /** What failed on the way to the server and back. */
  readonly client: Readonly<Record<ClientCode, string>>
  /** Why nobody is signed in: by what was refused, or by the code. */
  readonly signIn: Readonly<
    Record<'key' | 'link' | 'invitation' | 'passkey' | 'livemode' | 'unauthorized' | 'forbidden', string>
  >
  /** What a person is told of what a check or a reviewer found; undefined for what only a later server finds. */
  readonly reason: (of: Reason) => ReasonTexts | undefined
  /** Why the evidence of a migration advises what it does. */
  readonly because: (verdict: MigrationVerdict) => string
  /** Why a change of the migration was refused. */
  readonly gate: string
}
