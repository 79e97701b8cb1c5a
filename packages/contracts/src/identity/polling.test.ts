import { expect, test } from 'vitest'
import { POLL_POLICY } from './polling.ts'

test('polling is every 2 to 5 seconds for up to 60', () => {
  expect(POLL_POLICY).toEqual({ intervalMinMs: 2000, intervalMaxMs: 5000, durationMs: 60_000, maxPolls: 120 })
})
