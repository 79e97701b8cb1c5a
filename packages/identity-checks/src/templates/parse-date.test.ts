import { describe, expect, test } from 'vitest'
import { parseDate } from './parse-date.ts'

describe('a date', () => {
  const bikramSambat = { calendar: 'bikram_sambat', order: 'ymd' } as const
  test.each([
    ['2000-01-01', '1943-04-14'],
    ['2045-05-12', '1988-08-28'],
    ['2056-09-17', '2000-01-01'],
    ['2080-01-01', '2023-04-14'],
  ])('%s of Bikram Sambat is %s', (date, gregorian) => {
    expect(parseDate(date.split('-'), bikramSambat)).toBe(gregorian)
  })

  test.each([
    '2045-02-33',
    '2045-13-01',
    '2045-00-01',
    '2045-01-00',
    '1991-01-01',
    '2084-01-01',
    '45-01-01',
    '2045-01',
  ])('%s of Bikram Sambat is refused, not rolled over', (date) => {
    expect(parseDate(date.split('-'), bikramSambat)).toBeNull()
  })

  test('days of Bikram Sambat follow one another without a gap', () => {
    let last = Date.parse('1935-04-12')
    for (let year = 1992; year <= 2083; year++)
      for (let month = 1; month <= 12; month++)
        for (let day = 1; day <= 32; day++) {
          const date = parseDate([String(year), String(month), String(day)], bikramSambat)
          if (date === null) {
            expect(day).toBeGreaterThan(29)
            break
          }
          expect(Date.parse(date) - last).toBe(86_400_000)
          last = Date.parse(date)
        }
  })

  test('of the Gregorian calendar may name its month', () => {
    const gregorian = { calendar: 'gregorian', order: 'dmy' } as const
    expect(parseDate(['5', 'March', '2001'], gregorian)).toBe('2001-03-05')
    expect(parseDate(['29', '02', '2001'], gregorian)).toBeNull()
    expect(parseDate(['5', 'Mrz', '2001'], gregorian)).toBeNull()
  })
})
