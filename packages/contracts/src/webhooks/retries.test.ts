import { expect, test } from 'vitest'
import {
  WEBHOOK_RETRY_JITTER,
  WEBHOOK_RETRY_SCHEDULE_SECONDS,
  WEBHOOK_RETRY_WINDOW_SECONDS,
} from './retries.ts'

test('deliveries are attempted at once, then at growing intervals, for 24 hours and never longer', () => {
  const [first, ...rest] = WEBHOOK_RETRY_SCHEDULE_SECONDS
  expect(first).toBe(0)
  const growing = rest.slice(0, -1)
  expect(growing).toEqual(growing.toSorted((a, b) => a - b))
  const totalSeconds = rest.reduce((sum, seconds) => sum + seconds, 0)
  expect(WEBHOOK_RETRY_WINDOW_SECONDS).toBe(86_400)
  expect(totalSeconds).toBeLessThanOrEqual(WEBHOOK_RETRY_WINDOW_SECONDS)
  expect(totalSeconds * (1 + WEBHOOK_RETRY_JITTER)).toBeGreaterThan(WEBHOOK_RETRY_WINDOW_SECONDS * 0.9)
})
