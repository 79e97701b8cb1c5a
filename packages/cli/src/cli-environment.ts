import type { Readable, Writable } from 'node:stream'
import type { Clock, Fetch } from '@vaani/client'

/** An output stream that may be a terminal. */
export interface OutputStream extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Everything that commands use of the machine. Passed in, so that they can run inside another program and in tests. */
export interface CliEnvironment {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** Results. */
  readonly stdout: OutputStream
  /** Errors, prompts and progress. */
  readonly stderr: OutputStream
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly homeDirectory: string
  /** Ends the running command at once. */
  readonly signal: AbortSignal
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch
}
