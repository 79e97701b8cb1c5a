import type { CallEnded } from '@vaani/telephony'
import { expect, test } from 'vitest'
import { describeEnd } from './session.ts'

const speech = { language: 'en-US', marks: [], durationMs: 0 }

const ended = (rest: Partial<CallEnded>): CallEnded => ({
  type: 'ended',
  outcome: 'completed',
  endedBy: 'agent',
  durationMs: 2500,
  ...rest,
})

test('an answered call that ends is completed, with its duration and who ended it', () => {
  const recording = { path: '/recordings/a.wav', durationMs: 2500 }
  expect(describeEnd({ event: ended({ recording }), answered: true, failure: undefined, speech })).toEqual({
    completed: true,
    end: { durationSeconds: 2.5, endedBy: 'agent' },
    recordingPath: recording.path,
  })
})

test('the duration limit is a completed call', () => {
  const event = ended({ outcome: 'duration_limit', endedBy: 'duration_limit', durationMs: 900_000 })
  expect(describeEnd({ event, answered: true, failure: undefined, speech })).toMatchObject({
    completed: true,
    end: { durationSeconds: 900, endedBy: 'duration_limit' },
  })
})

test.each([
  ['busy', 'busy'],
  ['no_answer', 'no-answer'],
  ['rejected', 'rejected'],
  ['unreachable', 'unreachable'],
  ['carrier_error', 'carrier-error'],
] as const)('%s fails as %s, without a duration', (outcome, failureReason) => {
  const event = ended({ outcome, endedBy: 'callee', durationMs: 0 })
  expect(describeEnd({ event, answered: false, failure: undefined, speech })).toEqual({
    completed: false,
    end: { failureReason },
    recordingPath: undefined,
  })
})

test('what the line reported is part of the end', () => {
  const event = ended({ outcome: 'busy', endedBy: 'callee', durationMs: 0, sipStatus: 486, q850Cause: 17 })
  expect(describeEnd({ event, answered: false, failure: undefined, speech })).toMatchObject({
    end: { failureReason: 'busy', sipStatus: 486, q850Cause: 17 },
  })
})

test('a failure of the agent takes precedence over the carrier’s outcome, and the duration is kept', () => {
  expect(describeEnd({ event: ended({}), answered: true, failure: 'agent-error', speech })).toMatchObject({
    completed: false,
    end: { failureReason: 'agent-error', durationSeconds: 2.5 },
  })
})
