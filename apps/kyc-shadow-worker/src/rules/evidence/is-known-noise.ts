import type { Tally } from './rate-bounds.ts'
import { boundRate } from './rate-bounds.ts'

/** Of the width of the bounds of a noise that is known. */
const ALPHA = 0.05

/**
 * Whether there are enough pairs of the primary with itself to excuse the candidate by them: as many as bound a rate of 0 by the one
 * that is allowed. With fewer, so much noise is possible that no candidate could ever be judged to be worse, and a single such pair
 * would turn the automatic rollback off.
 *
 * It depends on the number of trials alone, not on what they showed, so the risks of the judgement hold.
 */
export const isKnownNoise = ({ trials }: Tally, allowed: number): boolean =>
  boundRate({ events: 0, trials }, { alpha: ALPHA, narrowestAt: allowed }).upper <= allowed
