import { StalledStreamError } from '../errors.ts'
import type { Attempt } from './attempt.ts'

/** Aborts an attempt after `idleTimeoutMs`. Returns a function that stops the timer. */
export const watchIdle = ({ clock, context, idleTimeoutMs, abort }: Attempt): (() => void) =>
  clock.after(idleTimeoutMs, () => abort(new StalledStreamError({ ...context, idleTimeoutMs })))
