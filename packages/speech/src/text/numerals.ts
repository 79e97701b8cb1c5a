/** A number as written, in ASCII digits without separators. */
export interface Numeral {
  negative: boolean
  integer: string
  /** Digits after the decimal mark; empty if there is none. */
  fraction: string
}

/** A whole number as a numeral. */
export const wholeNumeral = (integer: number | string): Numeral => ({
  negative: false,
  integer: String(integer),
  fraction: '',
})

/** How a locale writes numbers. */
export interface NumberFormat {
  decimal: '.' | ','
  /** Whether a plain space may group digits, as in `10 000`. */
  spaceGroups: boolean
  /** Whether a single comma is a decimal mark beside the point, unless three digits follow it. */
  commaIsDecimal?: boolean
}

/** More digits than any quantity has. They are read one by one. */
const MAX_DIGITS = 15
/** Ungrouped digits that are rather a phone or account number than a quantity. */
const LONG_DIGITS = 10

/**
 * Source of a pattern of numbers: digits, in groups or with a decimal mark. Bounded, so that looking for it takes linear
 * time. It starts at a digit that no letter of an alphabet, digit, point or comma precedes.
 *
 * @param words - source of a pattern of words that take the digits before them: `500 ml` is no group of `$5 500 ml`
 */
export const numberSource = (format: NumberFormat, words?: string): string =>
  String.raw`(?<![\p{sc=Latn}\p{sc=Cyrl}\p{sc=Arab}\d_]|\d[.,])` + plainNumberSource(format, words)

/** Like `numberSource`, after a sign that belongs to the number. */
export function plainNumberSource({ spaceGroups }: NumberFormat, words?: string): string {
  const unless = words === undefined ? '' : String.raw`(?! ?(?:${words})(?!\p{L}))`
  const grouped = String.raw`\d{1,3}(?: \d{3}${unless}){1,4}(?!\d| \d)(?:[.,]\d{1,9})?(?!\d)|`
  return String.raw`(?:${spaceGroups ? grouped : ''}\d{1,40}(?:[.,٬٫'’\u00a0\u202f]\d{1,20}){0,9}(?!\d))`
}

/** An optional minus that joins no words and no numbers, as it does in `COVID-19` and `10-20`. */
export const MINUS_SOURCE = minusSource(String.raw`\p{L}`)

/** Like `MINUS_SOURCE`, with a class of the letters that it joins: in Chinese, `气温-5℃` has a minus. */
export function minusSource(letters: string): string {
  return String.raw`(?:(?<![${letters}\p{M}\p{N}\p{Pd}.,/])[-−])?`
}

/**
 * Parses a number by the way its locale writes numbers. Marks that can only mean one thing are understood in any locale:
 * `1,234.5` and `12,34,567` are groups everywhere.
 *
 * @returns undefined if it is no single number, such as `1.2.3` or `1,2`
 */
export function parseNumeral(written: string, format: NumberFormat): Numeral | undefined {
  const negative = /^[-−]/.test(written)
  const plain = written
    .replace(/^[-−]/, '')
    .replace(/(?<=\d)[٬'’\u00a0\u202f ](?=\d{3}(?!\d))/g, '')
    .replaceAll('٫', '.')
  const marks = plain.match(/[^\d]/g) ?? []
  if (marks.some((mark) => mark !== '.' && mark !== ',')) return undefined
  const last = marks.at(-1)
  if (last === undefined) return { negative, integer: plain, fraction: '' }
  const at = plain.lastIndexOf(last)
  const [before, after] = [plain.slice(0, at), plain.slice(at + 1)]
  const isMixed = marks.some((mark) => mark !== last)
  // With a decimal point, `1,2` is a list.
  const isList = format.decimal === '.' && format.commaIsDecimal !== true
  if (marks.length === 1 && last === ',' && isList && after.length !== 3) return undefined
  const isGrouping = isMixed
    ? false
    : marks.length > 1 ||
      (last !== format.decimal &&
        after.length === 3 &&
        !before.startsWith('0') &&
        !(format.commaIsDecimal === true && before.length > 3))
  const grouped = isGrouping ? plain : before
  if (
    /[.,]/.test(grouped) &&
    !/^[1-9]\d{0,2}(?:([.,])\d{3}|,\d{2}(?=(?:,\d{2})*,\d{3}$))(?:\1\d{3}|,\d{2,3})*$/.test(grouped)
  )
    return undefined
  const integer = grouped.replaceAll(/[.,]/g, '')
  return { negative, integer, fraction: isGrouping ? '' : after }
}

/** Whether digits are read one by one: with a leading zero, or too many for a quantity. */
export const isCode = (digits: string): boolean =>
  (digits.length > 1 && digits.startsWith('0')) || digits.length >= LONG_DIGITS

export const isTooLong = (numeral: Numeral): boolean => numeral.integer.length > MAX_DIGITS
