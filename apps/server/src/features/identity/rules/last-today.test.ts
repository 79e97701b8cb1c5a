import { expect, test } from 'vitest'
import { lastToday } from './last-today.ts'

test('a day lasts until it has ended everywhere', () => {
  expect(lastToday(Date.parse('2026-11-28T11:59:59Z'))).toBe('2026-11-27')
  expect(lastToday(Date.parse('2026-11-28T12:00:00Z'))).toBe('2026-11-28')
})
