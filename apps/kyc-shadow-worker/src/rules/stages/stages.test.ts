import { expect, test } from 'vitest'
import { STAGE_PLANS, STAGES } from '@vaani/contracts/migration'
import { isPromotion, stageOnRollback } from './stages.ts'

test('each stage shadows at least as much as the one before it, as long as the same version answers', () => {
  for (const [index, stage] of STAGES.entries()) {
    const next = STAGES[index + 1]
    if (next === undefined || next === 'complete') continue
    expect(STAGE_PLANS[next].shadowShare).toBeGreaterThanOrEqual(STAGE_PLANS[stage].shadowShare)
  }
})

test.each(STAGES)('falling back from %s is no promotion, and v1 answers after it', (stage) => {
  const fallback = stageOnRollback(stage)
  expect(isPromotion(stage, fallback)).toBe(false)
  expect(STAGE_PLANS[fallback].answers).toBe('v1')
})
