import { replaceMatches } from '../spoken-text.ts'
import { numberSource, plainNumberSource } from '../numerals.ts'
import { textAfter, textBefore } from './context.ts'
import { joinedLetters, perLanguage, type Rule } from './rule.ts'
import { unitSource } from './units.ts'

const END = String.raw`(?:\d{1,3}|1\d{3}|2[01]\d{2}|\d{1,9}[.,:]\d{1,3})`
const RANGE = new RegExp(
  String.raw`(?<=(?<![\p{sc=Latn}\p{sc=Cyrl}\d][.,:]?|[-–])${END}(?: ?[AaPp][Mm])?) ?[-–~〜～] ?(?=[$€£₹¥]?${END}(?![\d]|[.,:]\d|\s?[-–]\s?\d))`,
  'gu',
)

/** The unit or the sign of a currency at the first end, if the other end has the same: `18%-20%`, `10 €-15 €`, `5km-10km`. */
const signedOf = perLanguage((language) => {
  const letters = joinedLetters(language)
  return new RegExp(
    String.raw`(?<low>${numberSource(language)})(?<sign>[ \u00a0]?(?:(?![sd][-–~〜～])(?:${unitSource(language)})|[٪€$£₹₽%円元]))[-–~〜～](?=${plainNumberSource(language)}\k<sign>(?![${letters}\p{M}\p{N}/²³]))`,
    'gu',
  )
})

/** Between the sides of an area, and not in a hexadecimal number. */
const BY = / ?[x×](?<=(?<![\p{L}\d])(?!0x)\d{1,6} ?[x×]) ?(?=\d{1,6}(?![\d\p{sc=Latn}]))/gu

/** Whether times stand around a dash between spaces, which elsewhere is one of the text: `4:00 am - 8:12 pm`. */
const isBetweenTimes = (match: RegExpExecArray): boolean =>
  /(?::\d\d|\d ?[ap]m)$/i.test(textBefore(match)) && /^\d{1,2}(?::\d\d| ?[ap]m)/i.test(textAfter(match))

/** The rest of `3-1=2`. */
const EQUATION = /^\d{1,9} ?=/

/** An end with a leading zero that is no hour. */
const PADDED = /^0\d(?!\d|[.,:]\d| ?(?:Uhr|h)(?!\p{L}))/u
/** A day and a month in Hindi: `06-05 को`. */
const HINDI_DATE = /^0\d को(?![\p{L}\p{M}])/u

/** Whether two numbers are rather a month or part of a number, of which one alone has a leading zero: `2003-03`, `03-2010`. */
function isPadded(start: string, end: string, after: string): boolean {
  if (start.startsWith('0')) return end.length === 4 || HINDI_DATE.test(after)
  // A season, as in `2005-06`.
  const isNextYear = start.length === 4 && Number(end) === (Number(start) + 1) % 100
  return PADDED.test(after) && !isNextYear
}

/** Reads the dash between the ends of a range, and the cross between the sides of an area: `5–10`, `$5-$10`, `9:00–17:00`, `2x3`. Equal ends are none: `50-50`. */
export const speakRanges: Rule = (spoken, language) => {
  if (!/[-–~〜～x×]/.test(spoken.text)) return spoken
  const { symbols } = language
  const ranges = replaceMatches(
    spoken,
    signedOf(language),
    ({ groups = {} }) => `${groups['low']} ${symbols.to} `,
  )
  const areas = replaceMatches(ranges, BY, () => ` ${symbols.by} `)
  return replaceMatches(areas, RANGE, (match) => {
    if (match[0] === ' - ' && !isBetweenTimes(match)) return undefined
    const after = textAfter(match)
    // Chinese has another word between numbers than before one.
    if (EQUATION.test(after)) return language.locale.startsWith('zh') ? undefined : ` ${symbols.minus} `
    const [start = ''] = /\d+$/.exec(textBefore(match, 16)) ?? []
    const [end = ''] = /^\d+/.exec(after) ?? []
    return start === end || isPadded(start, end, after) ? ' ' : ` ${symbols.to} `
  })
}
