import { SIGNS } from '../fraction-signs.ts'
import type { Language } from '../language.ts'
import { MINUS_SOURCE } from '../numerals.ts'
import { replaceMatches } from '../spoken-text.ts'
import { textAfter, textBefore } from './context.ts'
import { dayMonth, sayDate } from './dates.ts'
import { monthsOf } from './named-date.ts'
import { alternatives, NEVER, perLanguage, precededBy, type Rule } from './rule.ts'
import { isOfRound, isSeason, mayBeRuns, sayRoundScore, sayScore } from './scores.ts'

const SIGN_OF: Readonly<Record<string, string>> = Object.fromEntries(
  [...SIGNS].map((sign) => [sign.normalize('NFKC').replace('⁄', '/'), sign]),
)

const FRACTION = new RegExp(
  String.raw`(?<minus>${MINUS_SOURCE})(?<![\d./:]|[\p{sc=Latn}\p{sc=Cyrl}]\d{0,6})(?:(?<whole>[1-9]\d{0,5}) ?)?(?:(?<sign>[${SIGNS}])|(?<!\d)(?<over>\d{1,6})\/(?<under>[1-9]\d{0,5})(?<suffix>(?:ths?|rds?|nds?|TH|RD|ND)(?![\p{L}\d]))?(?![\d/\p{sc=Latn}%°]|[.,:-]\d))`,
  'gu',
)

/** Words before a day, in languages that write it with a slash. Sources of patterns. */
const DAY_AFTER: Readonly<Record<string, string>> = {
  en: 'on|until|till|since',
  es: 'el|del|al|desde|hasta|día',
  pt: 'dia|em|até|desde|no|do|ao',
  fr: 'le|du|au|dès',
  de: 'am|vom|bis|zum|seit',
}
/** What may follow a day, and no part of something. */
const DAY_BEFORE = /^(?:$|[.,;:!?)]| (?:at|and|or|a las|y|às|e|à|et|um|und|bis)(?!\p{L}))/u
/** Words before a result, a ratio, or a number of a house or a document. */
const NUMBER_AFTER: Readonly<Record<string, string>> = {
  en: 'rated?|rating|scored?|apartment|apt|suite|unit|room|flat|road|street|st|no|number|ratio|invoice|case|file|order|model|version',
  es: 'calle|piso|n\\.º|núm|número|apartado|artículo|expediente|exp|ley|nota|factura|proporción|decreto|circular|contrato|acta|orden|sentencia|resolución|página|pág|sala|aula|habitación|puerta|bloque',
  pt: 'rua|casa|nota|lei|nº|número|artigo|processo|fatura|proporção|decreto|circular|contrato|portaria|edital|resolução|página|pág|sala|apto|apartamento|quarto|bloco',
  fr: 'rue|note|n°|numéro|loi|article|facture|dossier|rapport|décret|circulaire|contrat|arrêté|page|p|appartement|appt|salle|chambre|bâtiment|lot',
  de: 'nr|nummer|zimmer|haus|az|note|gesetz|richtlinie|verordnung|beschluss|saison|rechnung|akte|aktenzeichen|verhältnis',
  ru: 'дом|д|кв|корпус|№|номер|дело|пункта?|п|пп|раздела?|статья|статьи|ст|глава|гл|рис|табл|версия',
  ar: 'رقم|القسم|النسخة|الإصدار|الفصل|المادة|البند|الفقرة|الجدول|الشكل',
  hi: 'नंबर|मकान|फ्लैट|प्लॉट|तारीख',
  ne: 'नम्बर|नं|घर|मिति',
}

const contextOf = perLanguage(({ locale }) => {
  const base = locale.slice(0, 2)
  const months = alternatives(monthsOf(locale))
  // As written, since `may` is no month.
  const month = new RegExp(String.raw`^ (?:de )?(?:${months})(?![\p{L}\p{M}])`, 'u')
  const monthBefore =
    base === 'en' ? new RegExp(String.raw`(?<!\p{L}|\d(?:st|nd|rd|th) of )(?:${months})[.]? $`, 'u') : NEVER
  return {
    day: precededBy(DAY_AFTER[base], '[.]?'),
    number: precededBy(NUMBER_AFTER[base], '[.]?'),
    isInMonth: (text: { before: string; after: string }) =>
      month.test(text.after) || (monthBefore.test(text.before) && !PART_OF.test(text.after)),
  }
})
/** Whether a number after this text is that of a house, a law or a file. */
export const isNumbered = (before: string, language: Language): boolean =>
  contextOf(language).number.test(before)

/** Words after a number that is part of something. */
const PART_OF = /^ (?:of|de|des|du|da|do|del|der|von|का|के|की)(?![\p{L}\p{M}])/iu
/** Whether a text begins with a word that makes the number before it a part. */
export const startsWithPart = (after: string): boolean => PART_OF.test(after)
/** Whether there is a sign for a fraction, as for `3/4`. */
export const isSmallFraction = (written: string): boolean => SIGN_OF[written] !== undefined
const CONTEXT_UNITS = 24

/**
 * Reads fractions: those with a sign of their own, `2½`, `3/4`, and others unless they are rather a day, a season, a result,
 * or a number of a house: `31/17`, `1 3/7`.
 */
export const speakFractions: Rule = (spoken, language) =>
  replaceMatches(spoken, FRACTION, (match) => {
    const { groups = {} } = match
    const { minus = '', whole, over = '', under = '' } = groups
    const sign = groups['sign'] ?? SIGN_OF[`${over}/${under}`]
    const [before, after] = [textBefore(match, CONTEXT_UNITS), textAfter(match, CONTEXT_UNITS)]
    const fraction = { over: Number(over), under: Number(under) }
    const isPlain = over !== '' && minus === '' && whole === undefined && groups['suffix'] === undefined
    // Two days, as in `17/18 June`.
    if (isPlain && contextOf(language).isInMonth({ before, after })) return undefined
    const score =
      isPlain && !PART_OF.test(after) ? sayScore(fraction, { before, after }, language) : undefined
    if (score !== undefined) return score
    const isPart = groups['suffix'] !== undefined || whole !== undefined || PART_OF.test(after)
    if (!isPart && over !== '' && contextOf(language).day.test(before) && DAY_BEFORE.test(after))
      return sayDate(dayMonth(Number(over), Number(under), language), before, language)
    if (!isPart && sign === undefined && isOtherwise(fraction, { before, after }, language)) return undefined
    if (isEqualOrClock(fraction)) return undefined
    if (isPlain && !isPart && sign === undefined && isOfRound(fraction, language))
      return sayRoundScore(fraction, { before, after }, language)
    const { name, isHalf } = nameFraction({ sign, over, under }, language)
    if (name === undefined) return undefined
    const said = whole === undefined ? name : sayMixed(whole, { name, isHalf }, language)
    return minus === '' ? said : `${language.symbols.minus} ${said}`
  })

/** Says a whole number and a fraction: `2 and a half`. */
export function sayMixed(
  whole: string,
  { name, isHalf }: { name: string; isHalf: boolean },
  language: Language,
): string {
  const { mixedHalf, mixedOne, mixed, symbols } = language
  const part = isHalf && mixedHalf !== undefined ? mixedHalf : `${mixed ?? `${symbols.and} `}${name}`
  return `${whole === '1' ? (mixedOne ?? whole) : whole}${mixed === undefined ? ' ' : ''}${part}`
}

/** Names a fraction: that of its sign, if the language has one, else of its parts. */
export function nameFraction(
  { sign, over, under }: { sign: string | undefined; over: string; under: string },
  language: Language,
): { name: string | undefined; isHalf: boolean } {
  const known = sign ?? SIGN_OF[`${over}/${under}`]
  const name =
    (known === undefined ? undefined : language.fractions[known]) ??
    (over === '' ? undefined : language.fraction?.(Number(over), Number(under)))
  return { name, isHalf: known === '½' }
}

interface Fraction {
  over: number
  under: number
}

/** Equal parts, and `24/7`. */
export const isEqualOrClock = ({ over, under }: Fraction): boolean =>
  under === 1 || (over === under && over > 0) || (over === 24 && under === 7)

/** Whether two numbers with a slash are rather something other than a fraction. */
function isOtherwise(
  { over, under }: Fraction,
  { before, after }: { before: string; after: string },
  language: Language,
): boolean {
  // Blood pressure, seasons such as `2025/26`, and documents of a year.
  const isPressure = over > 60 && over < 260 && under > 32 && under < 160 && over > under
  // Runs for wickets, or the number of a thing.
  const isName =
    (over > 99 && under <= 10) || (language.locale.startsWith('en') && mayBeRuns({ over, under }))
  const isYear = (year: number) => year >= 1900 && year < 2100
  return (
    isPressure ||
    isName ||
    isSeason({ over, under }, before + after) ||
    isYear(over) ||
    isYear(under) ||
    contextOf(language).day.test(before) ||
    isNumbered(before, language) ||
    isDay({ over, under }, language)
  )
}

/** Whether two numbers may be a day and a month, as the language writes them with a slash. */
function isDay({ over, under }: Fraction, { locale, dateOrder }: Language): boolean {
  if (/^(?:de|ru|ar|hi)/.test(locale) || over === 0) return false
  // `1/7` is rather a seventh than the first of July, unless the month comes first.
  return dateOrder === 'dmy' ? over > 1 && over <= 31 && under <= 12 : over <= 12 && under <= 31
}
