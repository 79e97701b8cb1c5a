import { TruncatedStreamError } from '../errors.ts'
import type { Attempt } from './attempt.ts'

/** Returns the error that ended reading a body: the abort reason of the attempt, or else a truncation. */
export const readingFailure = ({ context, signal }: Attempt, cause?: unknown): unknown =>
  signal.aborted ? signal.reason : new TruncatedStreamError({ ...context, cause })
