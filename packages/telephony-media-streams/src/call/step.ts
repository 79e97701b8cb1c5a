import type { CallEndFacts } from '@vaani/telephony/line'
import { type CallEffect, type CallState, factsOf } from './call-state.ts'

/** The next state, and what to do on the way to it. */
export interface Step {
  readonly state: CallState
  readonly effects: readonly CallEffect[]
}

/** Changes nothing but the state. */
export const stay = (state: CallState): Step => ({ state, effects: [] })

/** Ends the call. `isLeft`: the provider may still have it. */
export function end(state: CallState, facts: CallEndFacts, isLeft = false): Step {
  return {
    state: { ...state, phase: { type: 'ended' }, deadlineMs: Infinity },
    effects: [{ type: 'close_stream' }, { type: 'end', facts, isLeft }],
  }
}

/** Ends a call that was not answered, or would have been hung up: our own wish says more than the provider. */
export const endUnanswered = (state: CallState, facts: CallEndFacts, isLeft = false): Step =>
  end(state, state.wanted ? factsOf(state.wanted, state.hasAnswered) : facts, isLeft)

/** Continues a step. */
export function continueWith(step: Step, next: (state: CallState) => Step): Step {
  const { state, effects } = next(step.state)
  return { state, effects: [...step.effects, ...effects] }
}
