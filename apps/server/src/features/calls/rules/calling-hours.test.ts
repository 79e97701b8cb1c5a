import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CallingWindow, isCallable, nextCallable, WEEKDAYS } from './calling-hours.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const daily = (fromMinute: number, toMinute: number): CallingWindow[] => [
  { days: WEEKDAYS, fromMinute, toMinute },
]
const DAYTIME = daily(8 * 60, 21 * 60)
const at = (iso: string): number => Date.parse(iso)

describe('the hours of a zone', () => {
  // What `TZ=… date -d @…` of GNU says of these instants.
  test.each([
    ['2027-01-01T02:14:59Z', 'Asia/Kathmandu', false], // 07:59
    ['2027-01-01T02:15:00Z', 'Asia/Kathmandu', true], // 08:00
    ['2027-01-01T15:14:59Z', 'Asia/Kathmandu', true], // 20:59
    ['2027-01-01T15:15:00Z', 'Asia/Kathmandu', false], // 21:00
    ['2027-03-14T12:00:00Z', 'America/New_York', true], // 08:00, on the day when clocks went forward
    ['2027-03-13T12:00:00Z', 'America/New_York', false], // 07:00, the day before
    ['2027-11-07T12:59:00Z', 'America/New_York', false], // 07:59, on the day when they went back
    ['2027-06-30T23:30:00Z', 'Pacific/Kiritimati', true], // 13:30 of the next day
    ['2027-10-02T15:30:00Z', 'Australia/Lord_Howe', false], // 02:30, half an hour forward
  ])('%s in %s: %s', (iso, zone, callable) => expect(isCallable(DAYTIME, [zone], at(iso))).toBe(callable))

  test('are those of some days, in several windows', () => {
    // Weekdays from 10 to 13 and from 14 to 20, as French law has it.
    const weekdays = WEEKDAYS.slice(1, 6)
    const hours = [
      { days: weekdays, fromMinute: 600, toMinute: 780 },
      { days: weekdays, fromMinute: 840, toMinute: 1200 },
    ]
    const callable = (iso: string) => isCallable(hours, ['Europe/Paris'], at(iso))
    expect(callable('2027-01-08T09:00:00Z')).toBe(true)
    expect(callable('2027-01-08T12:30:00Z')).toBe(false)
    expect(callable('2027-01-08T18:59:00Z')).toBe(true)
    expect(callable('2027-01-09T09:00:00Z')).toBe(false)
    // Friday evening to Monday morning.
    expect(nextCallable(hours, ['Europe/Paris'], at('2027-01-08T19:00:00Z'))).toBe(at('2027-01-11T09:00:00Z'))
  })
})

test('a number that may be in several zones is called only when it is one of the hours in all', () => {
  const zones = ['America/New_York', 'Pacific/Honolulu']
  expect(isCallable(DAYTIME, zones, at('2027-01-05T14:00:00Z'))).toBe(false)
  expect(nextCallable(DAYTIME, zones, at('2027-01-05T14:00:00Z'))).toBe(at('2027-01-05T18:00:00Z'))
  expect(nextCallable(daily(480, 540), zones, at('2027-01-05T14:00:00Z'))).toBeUndefined()
})

test('the next time is the first, also where clocks change', () => {
  const zone = fc.constantFrom(
    'America/New_York',
    'Europe/London',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
  )
  // Around changes of clocks: in March, in April in Australia, and in October and November.
  const start = fc.oneof(
    ...['2027-03-13', '2027-03-27', '2027-04-03', '2027-10-02', '2027-10-30', '2027-11-06', '2027-02-06'].map(
      (day) =>
        fc.integer({ min: 0, max: 3 * 1440 }).map((minutes) => at(`${day}T00:00:30Z`) + minutes * MINUTE_MS),
    ),
  )
  const window = fc
    .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 1440 }))
    .filter(([from, to]) => from < to)
  fc.assert(
    fc.property(
      fc.uniqueArray(zone, { minLength: 1, maxLength: 2 }),
      start,
      window,
      (zones, fromMs, [from, to]) => {
        const hours = daily(from, to)
        const next = nextCallable(hours, zones, fromMs)
        if (next !== undefined) expect(isCallable(hours, zones, next)).toBe(true)
        // Nothing before it, minute by minute.
        const lastMs = Math.min(next ?? Infinity, fromMs + 2 * DAY_MS)
        for (let ms = fromMs; ms < lastMs; ms = (Math.floor(ms / MINUTE_MS) + 1) * MINUTE_MS)
          if (isCallable(hours, zones, ms)) throw new Error(`${new Date(ms).toISOString()} comes first`)
      },
    ),
    { numRuns: 20 },
  )
})
