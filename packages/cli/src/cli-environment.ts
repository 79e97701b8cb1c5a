import type { Readable, Writable } from 'node:stream'
import type { Clock, Fetch } from '@vaani/client'

/** A stream that a person may sit at. */
export interface OutputStream extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** All that the commands know of the machine; handed in, so that they can be run inside another program and in tests. */
export interface CliEnvironment {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** Results. */
  readonly stdout: OutputStream
  /** Errors, prompts and progress. */
  readonly stderr: OutputStream
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly homeDirectory: string
  /** Ends whatever runs, at once. */
  readonly signal: AbortSignal
  /** Default: the system's. */
  readonly clock?: Clock
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch
}
