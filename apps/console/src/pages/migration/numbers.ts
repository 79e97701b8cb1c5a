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
export function sizeText(value: number): string {
  const size = SIZES.find(({ bytes }) => value >= bytes) ?? SIZES.at(-1)
  return size === undefined ? countText(value) : size.in.format(value / size.bytes)
}
