import { EngineError } from './engine/engine-error.ts'

/** Tolerance for rounding errors of an engine that computes with 32 bits. */
const ROUNDING = 1e-3

/**
 * Returns the score of an engine, without rounding errors. A value further outside 0 to 1 is not clamped, because a logit or a
 * percentage would then pass.
 *
 * @throws EngineError `score_invalid`
 */
export function requireScore(score: number, model: string): number {
  if (score >= -ROUNDING && score <= 1 + ROUNDING) return Math.min(1, Math.max(0, score))
  throw new EngineError('score_invalid', `${model} returned a score that is not from 0 to 1`)
}
