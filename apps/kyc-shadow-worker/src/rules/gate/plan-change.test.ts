import { ADVICE, STAGES } from '@vaani/contracts/migration'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChangeWish, type FlagState, planChange } from './plan-change.ts'

const stages = fc.constantFrom(...STAGES)
const states: fc.Arbitrary<FlagState> = fc.record({
  stage: stages,
  isKilled: fc.boolean(),
  providerStage: fc.option(stages),
  providerIsKilled: fc.boolean(),
  epoch: fc.nat(),
})
const verdicts = fc.record({ advice: fc.constantFrom(...ADVICE), because: fc.constant('Because.') })
const wishes: fc.Arbitrary<ChangeWish> = fc.oneof(
  fc.record({
    kind: fc.constant('stage'),
    stage: stages,
    isForced: fc.boolean(),
    isOfProvider: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('kill_switch'), isKilled: fc.boolean(), isOfProvider: fc.boolean() }),
  fc.constant({ kind: 'rollback' }),
  fc.constant({ kind: 'evidence_restart' }),
) as fc.Arbitrary<ChangeWish>

const state: FlagState = {
  stage: 'shadow-100',
  isKilled: false,
  providerStage: null,
  providerIsKilled: false,
  epoch: 3,
}
const hold = { advice: 'hold', because: 'Hold.' } as const

test('asked twice, the second time changes nothing, except that evidence starts anew', () => {
  fc.assert(
    fc.property(states, wishes, verdicts, (before, wish, verdict) => {
      const plan = planChange(before, wish, verdict)
      if (plan.type === 'refused' || wish.kind === 'evidence_restart') return
      expect(planChange(plan.next, wish, verdict).type).toBe('nothing')
    }),
  )
})

test('a change is forced only if it was refused otherwise', () => {
  fc.assert(
    fc.property(states, stages, verdicts, (before, stage, verdict) => {
      const asked = planChange(before, { kind: 'stage', stage }, verdict)
      const forced = planChange(before, { kind: 'stage', stage, isForced: true }, verdict)
      expect(forced.type).not.toBe('refused')
      if (forced.type === 'change') expect(forced.isForced).toBe(asked.type === 'refused')
    }),
  )
})

test('only a rollback, a restart, and going on against the advice to roll back begin new evidence', () => {
  fc.assert(
    fc.property(states, wishes, verdicts, (before, wish, verdict) => {
      const plan = planChange(before, wish, verdict)
      if (plan.type !== 'change') return
      const isAgainstRollback = plan.isForced && verdict.advice === 'roll_back'
      const isNew = wish.kind === 'rollback' || wish.kind === 'evidence_restart' || isAgainstRollback
      expect(plan.next.epoch).toBe(before.epoch + (isNew ? 1 : 0))
    }),
  )
})

test('a rollback goes to the smallest shadow, and does nothing where there is no more', () => {
  const to = (stage: FlagState['stage']) => {
    const plan = planChange({ ...state, stage }, { kind: 'rollback' }, hold)
    return plan.type === 'change' ? plan.next.stage : plan.type
  }
  expect(STAGES.map(to)).toEqual([
    'nothing',
    'nothing',
    'shadow-1',
    'shadow-1',
    'shadow-1',
    'shadow-1',
    'shadow-1',
    'shadow-1',
  ])
})

test('the switch of the provider and that of the API do not move each other', () => {
  const killed = planChange(state, { kind: 'kill_switch', isKilled: true, isOfProvider: true }, hold)
  expect(killed).toMatchObject({ type: 'change', next: { isKilled: false, providerIsKilled: true } })
})

test('after a rollback, a stage that the provider repeats is no change', () => {
  const live = planChange(state, { kind: 'stage', stage: 'live', isForced: true, isOfProvider: true }, hold)
  expect(live).toMatchObject({ type: 'change', isForced: true, next: { providerStage: 'live' } })
  const back = live.type === 'change' ? planChange(live.next, { kind: 'rollback' }, hold) : live
  if (back.type !== 'change') throw new Error('It did not roll back')
  expect(back.next).toMatchObject({ stage: 'shadow-1', providerStage: 'live' })
  const again = { kind: 'stage', stage: 'live', isForced: true, isOfProvider: true } as const
  expect(planChange(back.next, again, hold)).toEqual({ type: 'nothing', next: back.next })
})
