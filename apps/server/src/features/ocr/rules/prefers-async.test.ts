import { expect, test } from 'vitest'
import { prefersAsync } from './prefers-async.ts'

test.each([
  [undefined, false],
  ['', false],
  ['respond-async', true],
  ['return=minimal, Respond-Async; wait=10', true],
  ['wait=10', false],
  ['respond-asynchronously', false],
])('%s', (prefer, expected) => {
  expect(prefersAsync(prefer)).toBe(expected)
})
