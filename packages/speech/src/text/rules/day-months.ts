import type { Language } from '../language.ts'
import { replaceMatches, type SpokenText } from '../spoken-text.ts'
import { weekdaysOf } from '../weekdays.ts'
import { sayDate, textBefore } from './dates.ts'
import { isNumbered, isSmallFraction, startsWithPart } from './fractions.ts'
import { perLanguage, type Rule } from './rule.ts'
import { unitSource } from './units.ts'

/** What shows that two numbers are a day and a month. Sources of patterns. */
interface Signs {
  /** Words before a date. */
  before: string
  /** Words before a date, or before a part of something: `by 1/3`. */
  maybeBefore?: string
  /** Words after a date. */
  after?: string
}

/** With a slash, in the languages that write dates so. */
const SLASHED: Readonly<Record<string, Signs>> = {
  en: {
    before:
      'due|dated|cleared|posted|delivered|delivery|shipped|arrives|arriving|expires|expired|scheduled|starts|starting|begins|beginning|ends|ending|closes|opens|deadline|effective|appointment|appt|today|tomorrow|yesterday|tonight',
    maybeBefore: 'by|before|after|from|through|thru',
  },
  es: {
    before:
      'fecha|vence|caduca|expira|vencimiento|hoy|mañana|ayer|entrega|cita|antes del|después del|a partir del',
    maybeBefore: 'para',
    after: 'a las?',
  },
  pt: {
    before: 'data|vence|expira|vencimento|hoje|amanhã|ontem|entrega|consulta|desde|até|a partir de',
    after: 'às?',
  },
  fr: {
    before:
      "date|expire|échéance|livraison|rendez-vous|rdv|avant le|après le|jusqu'au|aujourd'hui|demain|hier",
    after: 'à',
  },
  hi: { before: 'दिनांक|तारीख|आज|कल|अंतिम तिथि', after: 'को|से|तक|की|सुबह|शाम' },
  ar: { before: 'يوم|بتاريخ|تاريخ|الموعد|غدا|اليوم', maybeBefore: 'في|حتى|قبل|بعد', after: 'الساعة' },
  sw: { before: 'tarehe|leo|kesho', maybeBefore: 'hadi|kabla ya', after: 'saa' },
}
/** With a full stop, where that is no decimal mark. */
const STOPPED: Readonly<Record<string, Signs>> = {
  de: { before: 'am|vom|zum|bis zum|ab dem|seit dem|Termin|Lieferung|heute|morgen', after: 'um|bis zum' },
  ru: {
    before:
      'доставка|доставки|срок|дата|даты|встреча|запись|приём|прием|оплата|оплатить|вылет|прилёт|заезд|выезд|сегодня|завтра|вчера|среду|пятницу|субботу',
    maybeBefore: 'до|с|со|от|к|ко|на|по|после',
  },
}

/** Between two dates. */
const UNTIL: Readonly<Record<string, string>> = {
  en: 'to|until|till|through|thru',
  es: 'al?|hasta el',
  pt: 'a|à|ao|até',
  fr: "au|jusqu'au",
  de: 'bis',
  ru: 'по|до',
  hi: 'से',
  ar: 'إلى',
  sw: 'hadi',
}

/** A time of day, after a date. Sources of words between them are short. */
const TIME_NEXT =
  /^,? ?(?:\p{L}{1,4} |las |@ ?)?(?:[01]?\d|2[0-4])(?::[0-5]\d(?!\d)|\.(?:00|1[3-9]|[2-5]\d)(?!\d)|h[0-5\d]|\s?h(?!\p{L})|\s?[ap]\.?\s?m(?!\p{L}))/iu
const AFTER_UNITS = 24

interface DayMonths {
  pattern: RegExp
  /** Two dates with a word or a dash between them. */
  range: RegExp
  mark: '/' | '.'
  before: RegExp
  maybeBefore: RegExp
  after: RegExp
  unit: RegExp
}

const NEVER = /(?!)/u

const dayMonthsOf = perLanguage((language): DayMonths | undefined => {
  const base = language.locale.slice(0, 2)
  const mark = STOPPED[base] === undefined ? '/' : '.'
  const signs = STOPPED[base] ?? SLASHED[base]
  if (signs === undefined) return undefined
  const { before, maybeBefore, after } = signs
  const preceded = (words: string | undefined) =>
    words === undefined ? NEVER : new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${words})[:,]? $`, 'iu')
  const month = mark === '.' ? String.raw`\d{2}` : String.raw`\d{1,2}`
  const start = String.raw`(?<![\p{L}\p{N}.,:/$€£₹№+-]|\d[-–])`
  const day = String.raw`(?<first>\d{1,2})[${mark}](?<second>${month})`
  const end = String.raw`(?![\d\p{L}/%°]|[.,:]\d|-\d)`
  const last = String.raw`(?<lastFirst>\d{1,2})[${mark}](?<lastSecond>${month})`
  return {
    mark,
    pattern: new RegExp(start + day + end, 'gu'),
    range: new RegExp(String.raw`${start}${day}(?: ?[-–] ?| (?<to>${UNTIL[base]}) )${last}${end}`, 'giu'),
    before: preceded(`${before}|(?:${weekdaysOf(language.locale).source})[.]?`),
    maybeBefore: preceded(maybeBefore),
    after: after === undefined ? NEVER : new RegExp(String.raw`^ (?:${after})(?![\p{L}\p{M}])`, 'iu'),
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
  const contextOf = ({ text }: SpokenText, { index, 0: { length } }: RegExpExecArray): Context => ({
    before: textBefore(text, index),
    after: text.slice(index + length, index + length + AFTER_UNITS),
  })
  const ranges = replaceMatches(spoken, known.range, (match) => {
    const {
      first = '',
      second = '',
      to = language.symbols.to,
      lastFirst = '',
      lastSecond = '',
    } = match.groups ?? {}
    const context = contextOf(spoken, match)
    const [from, until] = [
      [first, second],
      [lastFirst, lastSecond],
    ] as const
    if (!isDatedRange([from, until], { ...context, to }, known, language)) return undefined
    const said = [from, until].map(([one, other], place) =>
      sayDate({
        date: dateOf(Number(one), Number(other), language),
        language,
        text: place === 0 ? context.before : `${to} `,
        index: place === 0 ? context.before.length : to.length + 1,
      }),
    )
    return said.includes(undefined) ? undefined : said.join(` ${to} `)
  })
  return replaceMatches(ranges, known.pattern, (match) => {
    const { first = '', second = '' } = match.groups ?? {}
    const context = contextOf(ranges, match)
    if (isOther(context, known, language) || !isDated([first, second], context, known, language))
      return undefined
    const date = dateOf(Number(first), Number(second), language)
    return sayDate({ date, language, text: ranges.text, index: match.index })
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
  unit.test(after) || startsWithPart(after) || isNumbered(before, language)

const dateOf = (first: number, second: number, { dateOrder }: Language) =>
  dateOrder === 'mdy' ? { month: first, day: second } : { day: first, month: second }

/** Whether what stands beside two numbers shows that they are a date. */
function isDated(pair: Pair, context: Context, known: DayMonths, language: Language): boolean {
  const { before, after } = context
  const [first] = pair
  const isSmall = known.mark === '/' && isSmallFraction(pair.join('/'))
  if (TIME_NEXT.test(after)) return true
  if (known.before.test(before)) return !isSmall || /^(?:$|[.,;:!?)])/.test(after)
  if (isSmall) return false
  if (known.after.test(after)) return true
  const isFree = !language.locale.startsWith('en') || ENGLISH_AFTER.test(after)
  if (isFree && known.maybeBefore.test(before) && !isScore(pair) && !isVersion(first, before, known))
    return true
  return isPlain(pair, before, language)
}

/** After a day in English. Before a noun, the numbers are rather a part: `before 6/12 months`. */
const ENGLISH_AFTER =
  /^(?:$|[.,;:!?)]| (?:at|and|or|for|to|on|in|with|the|if|please|we|you|I|he|she|they|it|is|was|but|so|via)(?!\p{L}))/u

/** Whether two pairs of numbers are the first and the last day. */
function isDatedRange(
  [from, until]: readonly [Pair, Pair],
  context: Context & { to: string },
  known: DayMonths,
  language: Language,
): boolean {
  if (isOther(context, known, language)) return false
  const isVersioned = isVersion(from[0], context.before, known)
  if (known.before.test(context.before) || (language.locale === 'ru' && context.to === 'по')) return true
  if (known.maybeBefore.test(context.before) && known.mark === '.' && !isVersioned) return true
  if (known.mark === '.') return [from, until].every((pair) => pair.every(({ length }) => length === 2))
  return [from, until].every((pair) => !isSmallFraction(pair.join('/')) && !isScore(pair))
}

/** Whether a number with a full stop may be that of a version: `до 5.12`, `в версиях до 10.12`. */
const isVersion = (first: string, before: string, { mark }: DayMonths): boolean =>
  mark === '.' && (first.length === 1 || /верси/iu.test(before))

/** Whether numbers are rather points of those that can be had: `3/10`. */
const isScore = ([first, second]: Pair): boolean =>
  Number(first) <= Number(second) && /^(?:5|10|20)$/.test(second)

/** Before a date without a sign: nothing, or a word that is no name of a document. */
const FREE = /(?:^|[.,;:!?(–—]\s?|(?<![\p{L}\p{M}])[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{M}]{1,24}\s)$/u
const FIRST = /(?:^|[.;!?(–—]\s?)$/u

/** Whether numbers can be no result, no page and no part: a day after the twelfth, and a month of two digits. `20/10` is that of eyes. */
const isPlain = ([first, second]: Pair, before: string, { dateOrder, locale }: Language): boolean =>
  dateOrder === 'dmy' &&
  locale !== 'de' &&
  Number(first) > 12 &&
  /^(?:0[1-9]|1[0-2])$/.test(second) &&
  `${first}/${second}` !== '20/10' &&
  (locale === 'ru' ? FIRST : FREE).test(before)
