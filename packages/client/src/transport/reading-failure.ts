import { TruncatedStreamError } from '../errors.ts'
import type { Attempt } from './attempt.ts'

/** What ended the reading of a body: the end of its try, or that of the body before it was whole. */
export const readingFailure = ({ context, signal }: Attempt, cause?: unknown): unknown =>
  signal.aborted ? signal.reason : new TruncatedStreamError({ ...context, cause })
