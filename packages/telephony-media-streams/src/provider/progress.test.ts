import { expect, test } from 'vitest'
import { progressOf } from './progress.ts'

test.each([
  ['queued', 'queued'],
  ['initiated', 'queued'],
  ['ringing', 'ringing'],
  ['answered', 'answered'],
  ['in-progress', 'answered'],
  ['completed', 'completed'],
])('the status %s says %s', (status, type) => {
  expect(progressOf(status, undefined)).toEqual({ type })
})

test.each([
  ['busy', undefined, 'busy', 'callee'],
  ['busy', 486, 'busy', 'callee'],
  ['busy', 603, 'rejected', 'callee'],
  ['busy', 500, 'busy', 'callee'],
  ['no-answer', undefined, 'no_answer', 'callee'],
  ['no-answer', 487, 'no_answer', 'callee'],
  ['no-answer', 603, 'rejected', 'callee'],
  ['failed', undefined, 'unreachable', 'carrier'],
  ['failed', 404, 'unreachable', 'carrier'],
  ['failed', 480, 'no_answer', 'callee'],
  ['failed', 503, 'carrier_error', 'carrier'],
  ['canceled', 487, 'carrier_error', 'carrier'],
])('the status %s with SIP status %s is %s by the %s', (status, sipStatus, outcome, endedBy) => {
  expect(progressOf(status, sipStatus)).toEqual({
    type: 'failed',
    verdict: { outcome, endedBy },
    ...(sipStatus !== undefined && { sipStatus }),
  })
})

test('a status that is not documented says nothing', () => {
  expect(progressOf('paused', undefined)).toBeUndefined()
  expect(progressOf('toString', undefined)).toBeUndefined()
})
