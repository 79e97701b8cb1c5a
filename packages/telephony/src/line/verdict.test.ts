import { expect, test } from 'vitest'
import { verdictOfBye, verdictOfRefusal } from './verdict.ts'

test.each([
  [486, undefined, 'busy', 'callee'],
  [600, undefined, 'busy', 'callee'],
  [480, undefined, 'no_answer', 'callee'],
  [408, undefined, 'no_answer', 'callee'],
  [487, undefined, 'no_answer', 'callee'],
  [603, undefined, 'rejected', 'callee'],
  [607, undefined, 'rejected', 'callee'],
  [608, undefined, 'rejected', 'callee'],
  [404, undefined, 'unreachable', 'carrier'],
  [410, undefined, 'unreachable', 'carrier'],
  [484, undefined, 'unreachable', 'carrier'],
  [604, undefined, 'unreachable', 'carrier'],
  [302, undefined, 'unreachable', 'carrier'],
  [401, undefined, 'carrier_error', 'carrier'],
  [403, undefined, 'carrier_error', 'carrier'],
  [407, undefined, 'carrier_error', 'carrier'],
  [488, undefined, 'carrier_error', 'carrier'],
  [500, undefined, 'carrier_error', 'carrier'],
  [503, undefined, 'carrier_error', 'carrier'],
  [500, 17, 'busy', 'callee'],
  [480, 21, 'rejected', 'callee'],
  [503, 1, 'unreachable', 'carrier'],
  [502, 19, 'no_answer', 'callee'],
  [480, 34, 'carrier_error', 'carrier'],
  // A status that names the reason wins over the cause.
  [486, 19, 'busy', 'callee'],
  // A cause that says nothing changes nothing.
  [480, 31, 'no_answer', 'callee'],
])('a refusal by %s with cause %s is %s, by the %s', (status, cause, outcome, endedBy) => {
  expect(verdictOfRefusal(status, cause)).toEqual({ outcome, endedBy })
})

test.each([
  [undefined, 'completed', 'callee'],
  [16, 'completed', 'callee'],
  [41, 'carrier_error', 'carrier'],
  [27, 'carrier_error', 'carrier'],
])('a BYE with cause %s is %s, by the %s', (cause, outcome, endedBy) => {
  expect(verdictOfBye(cause)).toEqual({ outcome, endedBy })
})
