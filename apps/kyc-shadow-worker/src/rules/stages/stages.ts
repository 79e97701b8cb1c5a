/** Stages of a migration, in their order. */
export const STAGES = [
  'off',
  'shadow-1',
  'shadow-10',
  'shadow-25',
  'shadow-50',
  'shadow-100',
  'live',
  'complete',
] as const
export type Stage = (typeof STAGES)[number]

/** Which version answers the caller. */
export type Version = 'v1' | 'v2'

export interface StagePlan {
  /** The version that answers the caller. */
  readonly answers: Version
  /** Share of the submissions that the other version gets as well, from 0 to 1. */
  readonly shadowShare: number
}

/** After promotion v1 becomes the shadow for a while, so that a difference that shows late is still seen. */
export const STAGE_PLANS: Readonly<Record<Stage, StagePlan>> = {
  off: { answers: 'v1', shadowShare: 0 },
  'shadow-1': { answers: 'v1', shadowShare: 0.01 },
  'shadow-10': { answers: 'v1', shadowShare: 0.1 },
  'shadow-25': { answers: 'v1', shadowShare: 0.25 },
  'shadow-50': { answers: 'v1', shadowShare: 0.5 },
  'shadow-100': { answers: 'v1', shadowShare: 1 },
  live: { answers: 'v2', shadowShare: 1 },
  complete: { answers: 'v2', shadowShare: 0 },
}

/** Returns the stage after this one, or null after the last. */
export const stageAfter = (stage: Stage): Stage | null => STAGES[STAGES.indexOf(stage) + 1] ?? null

/** Whether a change of stage moves forward, which needs evidence or a written reason. Moving back never does. */
export const isPromotion = (from: Stage, to: Stage): boolean => STAGES.indexOf(to) > STAGES.indexOf(from)

/**
 * Returns the stage to fall back to if the candidate is judged to be worse. Shadowing goes on at the smallest share while v1
 * answers, so that the next version of the candidate is seen; nothing is shadowed if it never began.
 */
export function stageOnRollback(stage: Stage): Stage {
  return stage === 'off' ? 'off' : 'shadow-1'
}
