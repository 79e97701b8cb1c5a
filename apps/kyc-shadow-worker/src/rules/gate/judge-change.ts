import { type Advice, type Stage, STAGE_PLANS } from '@vaani/contracts/migration'
import { isPromotion } from '../stages/stages.ts'

/**
 * Returns why the evidence does not support a change of stage, in a sentence for the person who asked; null if it does. Going back
 * needs no evidence. Shadowing more harms no caller, so it needs only that nothing speaks against it.
 */
export function judgeChange(
  { from, to }: { from: Stage; to: Stage },
  verdict: { readonly advice: Advice; readonly because: string },
): string | null {
  if (!isPromotion(from, to)) return null
  const { advice, because } = verdict
  const mayGo = STAGE_PLANS[to].answers === 'v2' ? advice === 'promote' : advice !== 'roll_back'
  return mayGo ? null : `The evidence does not support ${to}. ${because}`
}
