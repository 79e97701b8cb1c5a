import { expect, test } from 'vitest'
import { judgeEndpoint } from './judge-endpoint.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 10, 21)
const judge = (days: number, warnedAfterDays: number | null) =>
  judgeEndpoint({
    failingSinceMs: START_MS,
    warnedAtMs: warnedAfterDays === null ? null : START_MS + warnedAfterDays * DAY_MS,
    nowMs: START_MS + days * DAY_MS,
  })

test('an endpoint that fails for days is warned, and disabled two days later', () => {
  expect(judge(2.99, null)).toBe('stays')
  expect(judge(3, null)).toBe('is_warned')
  expect(judge(4.99, 3)).toBe('stays')
  expect(judge(5, 3)).toBe('is_disabled')
})

test('a seldom used endpoint is also warned first, however late', () => {
  expect(judge(30, null)).toBe('is_warned')
  expect(judge(31.99, 30)).toBe('stays')
  expect(judge(32, 30)).toBe('is_disabled')
})
