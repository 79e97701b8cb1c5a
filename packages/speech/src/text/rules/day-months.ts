import type { Language } from '../language.ts'
import { replaceMatches } from '../spoken-text.ts'
import { weekdaysOf } from '../weekdays.ts'
import { textAfter, textBefore } from './context.ts'
import { dayMonth, sayDate } from './dates.ts'
import { SLASHED, STOPPED, UNTIL } from './day-month-signs.ts'
import { isNumbered, isSmallFraction, startsWithPart } from './fractions.ts'
import { NEVER, perLanguage, precededBy, type Rule } from './rule.ts'
import { unitSource } from './units.ts'

const HOUR = String.raw`(?:[01]?\d|2[0-4])`
/** A time of day, after a date. Words between them are short. A bare `h` is rather that of a duration, but `à 9h`. */
const TIME_NEXT = new RegExp(
  String.raw`^,? ?(?:(?:\p{L}{1,4} |las |@ ?)?${HOUR}(?::[0-5]\d(?!\d)|h[0-5]\d|(?:\.[0-5]\d)?\s?(?:[ap]\.?\s?m(?!\p{L})|Uhr(?!\p{L})))|(?:à|às) ${HOUR}\s?h(?![\p{L}\d]| d['e’])|a las? ${HOUR}(?!\d))`,
  'iu',
)
const AFTER_UNITS = 24
/** After a part of something, as people write it in the languages of this rule. */
const PART_NEXT = /^ (?:من(?! الساعة)|ya|में)(?![\p{L}\p{M}])/u
/** Sides of screens, steel, eyes, and all day. */
const NEVER_DATES = /^(?:16\/0?9|16\/10|18\/0?9|18\/10|20\/10|21\/0?9|24\/0?7)$/
/** Before numbers of sections, versions and rates. */
const NUMBERED =
  /(?<!\p{L})(?:(?:пункт|раздел|верси|таблиц|рисун|лекци|урок|задач|задани|упражнени|вопрос|параграф|номер|страниц|цен[аыуе]|курс|глав[аыуе]?|стать[яиюе])\p{L}{0,3}|п{1,2}\.|Version|Kapitel|Abschnitt|Punkt|Ziffer)(?!\p{L})/iu
/** Before numbers that one reckons with: `multiplied by`, `went from`. */
const RECKONED =
  /(?<!\p{L})(?:multipl|divid|divis|scal|reduc|increas|decreas|rais|grow|grew|rise|rose|fall|fell|drop|shr[iu]nk|cut|went|goes|chang|improv|short|switch|won|win|lost|beat|lead|led|factor|ratio|odds|integra|pass(?:ou|a)|subi|cai|mud(?:ou|a)|aument|diminu|pas(?:ó|a)|baj|cambi)\p{L}{0,8}(?!\p{L})/iu

interface DayMonths {
  pattern: RegExp
  /** Two dates with a word or a dash between them. */
  range: RegExp
  mark: '/' | '.'
  before: RegExp
  weekday: RegExp
  maybeBefore: RegExp
  clearBefore: RegExp
  clearAfter: RegExp
  from: RegExp
  follows: RegExp
  unit: RegExp
}

/** A weekday before a date. In English and German, short names without capitals are words: `sat`, `so`. */
function weekdayBefore(locale: string): RegExp {
  const { source, long } = weekdaysOf(locale)
  const names = `${source}|${long.join('|').toLowerCase()}`
  return new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${names})[.]?,? $`, /^(?:en|de)/.test(locale) ? 'u' : 'iu')
}

const dayMonthsOf = perLanguage((language): DayMonths | undefined => {
  const base = language.locale.slice(0, 2)
  const mark = STOPPED[base] === undefined ? '/' : '.'
  const signs = STOPPED[base] ?? SLASHED[base]
  if (signs === undefined) return undefined
  const month = mark === '.' ? String.raw`\d{2}` : String.raw`\d{1,2}`
  const start = String.raw`(?<![\p{L}\p{N}.,:/$€£₹№+-]|\d[-–])`
  const day = String.raw`(?<first>\d{1,2})[${mark}](?<second>${month})`
  const end = String.raw`(?![\d\p{L}/%°]|[.,:]\d|-\d)`
  const last = String.raw`(?<lastFirst>\d{1,2})[${mark}](?<lastSecond>${month})`
  const { clearAfter, follows } = signs
  return {
    mark,
    pattern: new RegExp(start + day + end, 'gu'),
    range: new RegExp(String.raw`${start}${day}(?: ?[-–] ?| (?<to>${UNTIL[base]}) )${last}${end}`, 'giu'),
    before: precededBy(signs.before, '[:,]?'),
    weekday: weekdayBefore(language.locale),
    maybeBefore: precededBy(signs.maybeBefore, '[:,]?'),
    clearBefore: precededBy(signs.clearBefore),
    clearAfter:
      clearAfter === undefined ? NEVER : new RegExp(String.raw`^ (?:${clearAfter})(?![\p{L}\p{M}])`, 'iu'),
    from: precededBy(signs.from),
    // In German, the letters' case tells nouns.
    follows: new RegExp(String.raw`^(?:$|[.,;:!?)]| (?:${follows})(?![\p{L}\p{M}]))`, 'u'),
    unit: new RegExp(
      String.raw`^[ \u00a0]?(?:${unitSource(language)}|[$€£₹₽%]|руб|Uhr|h)(?![\p{L}\p{M}])`,
      'u',
    ),
  }
})

/** Reads a day and a month without a year, where a word, a weekday or a time beside them says so: `due 12/15`, `01.12 в 10:00`. */
export const speakDayMonths: Rule = (spoken, language) => {
  const known = dayMonthsOf(language)
  if (known === undefined) return spoken
  const contextOf = (match: RegExpExecArray): Context => ({
    before: textBefore(match),
    after: textAfter(match, AFTER_UNITS),
  })
  const ranges = replaceMatches(spoken, known.range, (match) => {
    const {
      first = '',
      second = '',
      to = language.symbols.to,
      lastFirst = '',
      lastSecond = '',
    } = match.groups ?? {}
    const context = contextOf(match)
    const [from, until] = [
      [first, second],
      [lastFirst, lastSecond],
    ] as const
    if (!isDatedRange([from, until], { ...context, to }, known, language)) return undefined
    const said = [from, until].map(([one, other], place) =>
      sayDate(
        dayMonth(Number(one), Number(other), language),
        place === 0 ? context.before : `${to} `,
        language,
      ),
    )
    return said.includes(undefined) ? undefined : said.join(` ${to} `)
  })
  return replaceMatches(ranges, known.pattern, (match) => {
    const { first = '', second = '' } = match.groups ?? {}
    const context = contextOf(match)
    if (isOther(context, known, language) || !isDated([first, second], context, known, language))
      return undefined
    return sayDate(dayMonth(Number(first), Number(second), language), context.before, language)
  })
}

interface Context {
  before: string
  after: string
}

/** Two numbers as written. */
type Pair = readonly [first: string, second: string]

/** Whether numbers are those of a quantity, a part or a document. */
const isOther = ({ before, after }: Context, { unit }: DayMonths, language: Language): boolean =>
  unit.test(after) || startsWithPart(after) || PART_NEXT.test(after) || isNumbered(before, language)

/** Whether what stands beside two numbers shows that they are a date. */
function isDated(pair: Pair, context: Context, known: DayMonths, language: Language): boolean {
  const { before, after } = context
  if (known.mark === '.') return isStoppedDated(pair, context, known)
  const isTimed = TIME_NEXT.test(after)
  const isLast = known.follows.test(after)
  const isSmall = isSmallFraction(pair.join('/'))
  if (known.weekday.test(before) || known.before.test(before)) {
    if (isSmall) return isTimed || /^(?:$|[.,;:!?)])/.test(after)
    return isTimed || isLast || isClear(pair, language)
  }
  if (isSmall || isScore(pair) || NEVER_DATES.test(pair.join('/'))) return false
  if (isTimed) return !RECKONED.test(before)
  if (known.maybeBefore.test(before)) return isLast
  if (!isClear(pair, language)) return false
  return known.clearAfter.test(after) || (isLast && known.clearBefore.test(before) && !RECKONED.test(before))
}

/** As `isDated`, of numbers with a full stop, which may be those of a price or a version: `до 22.04`. */
function isStoppedDated([first]: Pair, { before, after }: Context, known: DayMonths): boolean {
  if (NUMBERED.test(before)) return false
  const isTimed = TIME_NEXT.test(after) || known.clearAfter.test(after)
  if (known.weekday.test(before) || known.before.test(before)) return isTimed || known.follows.test(after)
  return isTimed && first.length === 2 && FIRST.test(before)
}

/** At the beginning of a sentence or a part of it. */
const FIRST = /(?:^|[.,;!?(–—]\s?)$/u

/** Whether two pairs of numbers are the first and the last day. */
function isDatedRange(
  [from, until]: readonly [Pair, Pair],
  context: Context & { to: string },
  known: DayMonths,
  language: Language,
): boolean {
  const { before, after, to } = context
  if (isOther(context, known, language) || !isOrdered([from, until], language)) return false
  const isPreceded = known.before.test(before) || known.weekday.test(before)
  if (known.mark === '.') {
    if (NUMBERED.test(before)) return false
    const isPadded = [from, until].every((pair) => pair.every(({ length }) => length === 2))
    return isPreceded || (to === 'по' && known.from.test(before)) || (isPadded && FIRST.test(before))
  }
  if (!isPreceded && (!known.from.test(before) || RECKONED.test(before))) return false
  const isSure = [from, until].some(
    (pair) => isClear(pair, language) && !isScore(pair) && !NEVER_DATES.test(pair.join('/')),
  )
  return isSure && (isPreceded || known.follows.test(after))
}

/** Whether one date comes before another, of this year or the next. Values fall, too: `from 8/12 to 4/12`. */
function isOrdered([from, until]: readonly [Pair, Pair], language: Language): boolean {
  const [one, other] = [from, until].map(([first, second]) =>
    dayMonth(Number(first), Number(second), language),
  )
  if (one === undefined || other === undefined) return false
  return (
    one.month < other.month ||
    (one.month === other.month && one.day < other.day) ||
    (one.month >= 11 && other.month <= 2)
  )
}

/** Whether numbers are rather points of those that can be had: `3/10`. */
const isScore = ([first, second]: Pair): boolean =>
  Number(first) <= Number(second) && /^(?:5|10|20)$/.test(second)

/** Whether numbers are hardly a part, because a day is after the twelfth or the first. Inches have 16 parts. */
function isClear([first, second]: Pair, { dateOrder }: Language): boolean {
  const [over, under] = [Number(first), Number(second)]
  return dateOrder === 'mdy' ? under === 1 || (under > 12 && under !== 16) : over > 12
}
