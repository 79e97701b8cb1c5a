import { expect, test } from 'vitest'
import { readSchedule } from './schedule.ts'

const nowMs = Date.parse('2026-11-20T12:00:00Z')

test('no time means now', () => {
  expect(readSchedule(undefined, nowMs)).toBeNull()
})

test('honours the offset', () => {
  expect(readSchedule('2026-11-20T18:00:00+05:45', nowMs)?.toISOString()).toBe('2026-11-20T12:15:00.000Z')
})

test('bears a minute of clock difference, and no more', () => {
  expect(readSchedule('2026-11-20T11:59:00Z', nowMs)).not.toBeNull()
  expect(() => readSchedule('2026-11-20T11:58:59Z', nowMs)).toThrow('in the past')
})

test('refuses more than a year ahead', () => {
  expect(() => readSchedule('2027-11-21T12:00:00Z', nowMs)).toThrow('year')
})
