import type { LivenessJudgement } from '../liveness-engine.ts'
import type { HeadMotion } from './measure-motion.ts'

/** Scores from which a person counts as live, and below which as a picture. */
export const THRESHOLDS = { passed: 0.5, warning: 0.1 } satisfies LivenessJudgement['thresholds']
/**
 * Motion of the lips, in multiples of the noise of the landmarks, that no flat picture of the set reached. `pnpm bench liveness` measures it;
 * docs/measured/liveness.md has the errors of this limit.
 */
const LIPS_OF_A_PERSON = 4
/** A face that changes its form less than this has hardly moved: a hand that shakes changes it by 0.015, a print that is turned by 0.06. */
const LEAST_TURNING = 0.04

/** Scores a video from 0 to 1, or null if the face hardly moved, so that neither a person nor a picture shows. */
export function judgeMotion({ lips, turning }: HeadMotion): number | null {
  const score = Math.min(1, (THRESHOLDS.passed * lips) / LIPS_OF_A_PERSON)
  return score < THRESHOLDS.passed && turning < LEAST_TURNING ? null : score
}
