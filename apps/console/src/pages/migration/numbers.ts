import { language } from '../../text/text.ts'

const count = new Intl.NumberFormat(language)
const percent = new Intl.NumberFormat(language, { style: 'percent', maximumSignificantDigits: 2 })
const SIZES = (
  [
    ['gigabyte', 1e9],
    ['megabyte', 1e6],
    ['kilobyte', 1e3],
  ] as const
).map(([unit, bytes]) => ({
  bytes,
  in: new Intl.NumberFormat(language, { style: 'unit', unit, maximumSignificantDigits: 3 }),
}))

export const countText = (value: number): string => count.format(value)
export const shareText = (value: number): string => percent.format(value)
/** Nothing was observed without a trial. */
export const rateText = (events: number, trials: number): string =>
  trials === 0 ? '–' : shareText(events / trials)
const TIMES = (
  [
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
    ['millisecond', 1],
  ] as const
).map(([unit, ms]) => ({
  ms,
  in: new Intl.NumberFormat(language, { style: 'unit', unit, maximumSignificantDigits: 3 }),
}))

/** A dash if it was not measured. */
export function durationText(ms: number | null): string {
  if (ms === null) return '–'
  const time = TIMES.find((time) => ms >= time.ms) ?? TIMES.at(-1)
  return time === undefined ? countText(ms) : time.in.format(ms / time.ms)
}

export function sizeText(value: number): string {
  const size = SIZES.find(({ bytes }) => value >= bytes) ?? SIZES.at(-1)
  return size === undefined ? countText(value) : size.in.format(value / size.bytes)
}
