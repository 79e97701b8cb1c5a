import { expect, test } from 'vitest'
import { createFormats } from './formats.ts'
import { neManner } from './ne-manner.ts'

const neFormats = createFormats(neManner)

// Node knows Nepali, unlike Chromium.
test('Nepali numbers and times are those of the Unicode locale data', () => {
  const time = new Intl.DateTimeFormat('ne', { dateStyle: 'medium', timeStyle: 'medium' })
  const day = new Intl.DateTimeFormat('ne', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  for (let month = 0; month < 12; month++) {
    const at = new Date(2026, month, 3 + 2 * month, 2 * month, 5 * month, 7)
    expect(neFormats.time(at)).toBe(time.format(at))
    expect(neFormats.day(at)).toBe(day.format(at))
  }
  for (const value of [0, 7, 0.12345, 1234, 12_345_678.9])
    expect(neFormats.number(value)).toBe(new Intl.NumberFormat('ne').format(value))
  expect(neFormats.share(0.1234)).toBe(new Intl.NumberFormat('ne', { style: 'percent' }).format(0.1234))
})

test('durations and sizes have the unit that suits them', () => {
  expect([0.4, 12.3, 1234, 90_000, 5_400_000, null].map(neFormats.duration)).toEqual([
    '०.४ मि.से.',
    '१२ मि.से.',
    '१.२३ सेकेन्ड',
    '१.५ मिनेट',
    '१.५ घण्टा',
    '–',
  ])
  expect([512, 12_345, 4e9].map(neFormats.size)).toEqual(['०.५१२ kB', '१२.३ kB', '४ GB'])
})
