import { expect, test } from 'vitest'
import { findScheduleProblem } from './schedule.ts'

const nowMs = Date.parse('2026-11-20T12:00:00Z')

test.each([
  ['2026-11-20T18:00:00+05:45', null],
  ['2026-11-20T11:59:00Z', null],
  ['2026-11-20T11:58:59Z', 'is in the past'],
  ['2027-11-20T12:00:00Z', null],
  ['2027-11-20T12:00:01Z', 'is more than a year ahead'],
])('a call for %s: %s', (scheduledAt, problem) => {
  expect(findScheduleProblem(new Date(scheduledAt), nowMs)).toBe(problem)
})
