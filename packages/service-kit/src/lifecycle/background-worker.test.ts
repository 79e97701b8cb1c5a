import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPulse } from './background-worker.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a loop counts as working as long as it beats', () => {
  const pulse = createPulse()
  expect(pulse.isBeating()).toBe(true)
  vi.advanceTimersByTime(44_000)
  pulse.beat()
  vi.advanceTimersByTime(44_000)
  expect(pulse.isBeating()).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(pulse.isBeating()).toBe(false)
  pulse.beat()
  expect(pulse.isBeating()).toBe(true)
})
