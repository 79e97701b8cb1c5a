import { type Stage, STAGES } from '@vaani/contracts/migration'

/** Whether a change of stage moves forward, which needs evidence or a written reason. Moving back never does. */
export const isPromotion = (from: Stage, to: Stage): boolean => STAGES.indexOf(to) > STAGES.indexOf(from)

/**
 * Returns the stage to fall back to if the candidate is judged to be worse. Shadowing goes on at the smallest share while v1
 * answers, so that the next version of the candidate is seen; nothing is shadowed if it never began.
 */
export function stageOnRollback(stage: Stage): Stage {
  return stage === 'off' ? 'off' : 'shadow-1'
}
