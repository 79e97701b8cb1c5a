import { StalledStreamError } from '../errors.ts'
import type { Attempt } from './attempt.ts'

/** Ends a try in which nothing moves for too long. Returns what stops waiting for that. */
export const watchIdle = ({ clock, context, idleTimeoutMs, abort }: Attempt): (() => void) =>
  clock.after(idleTimeoutMs, () => abort(new StalledStreamError({ ...context, idleTimeoutMs })))
