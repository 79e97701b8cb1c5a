import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endOf, startStopDeadline } from './stop-deadline.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the grace period ends, and a second later the whole deadline', () => {
  using deadline = startStopDeadline(20_000)
  const state = () => [deadline.graceOver.aborted, deadline.timeOver.aborted]
  vi.advanceTimersByTime(19_999)
  expect(state()).toEqual([false, false])
  vi.advanceTimersByTime(1)
  expect(state()).toEqual([true, false])
  vi.advanceTimersByTime(1000)
  expect(state()).toEqual([true, true])
})

test('hurrying ends the grace period now, and later calls are no-ops', () => {
  using deadline = startStopDeadline(20_000)
  deadline.hurry()
  expect(deadline.graceOver.aborted).toBe(true)
  vi.advanceTimersByTime(999)
  deadline.hurry()
  expect(deadline.timeOver.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(deadline.timeOver.aborted).toBe(true)
})

test('a disposed deadline does not keep the process running', () => {
  const deadline = startStopDeadline(20_000)
  deadline.hurry()
  deadline[Symbol.dispose]()
  expect(vi.getTimerCount()).toBe(0)
})

test('waits for work to settle, but only until the signal aborts', async () => {
  const open = new AbortController()
  await endOf(Promise.resolve(), open.signal)
  await endOf(Promise.reject(new Error('failed')), open.signal)
  await endOf(undefined, open.signal)
  const waiting = endOf(new Promise(() => undefined), open.signal)
  open.abort()
  await waiting
  await endOf(new Promise(() => undefined), open.signal)
})
