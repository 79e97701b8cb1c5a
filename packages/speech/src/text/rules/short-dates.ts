import { replaceMatches } from '../spoken-text.ts'
import { shortMonthsOf } from '../short-months.ts'
import { stopAfter, textAfter, textBefore } from './context.ts'
import { fullYear, sayDate } from './dates.ts'
import { perLanguage, type Rule } from './rule.ts'

/** The word for a year, which the spoken date has already. */
const AFTER_YEAR: Readonly<Record<string, string>> = { ru: String.raw`(?: (?:года|г\.?)(?!\p{L}))?` }

/** A day, a short month, and a full stop or a year, without which the month may be a word: `3 mar`. English has a rule of its own. */
const shortDates = perLanguage(({ locale }) => {
  const months = locale.startsWith('en') ? undefined : shortMonthsOf(locale)
  if (months === undefined) return undefined
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}.,:/-])(?<day>\d{1,2})(?:[.º] ?| |-)(?:de )?(?<month>${months.source})(?![\p{L}\p{M}])(?:[.॰]?(?: |-)(?:de )?(?<year>\d{4})(?!\d)${AFTER_YEAR[locale] ?? ''}|[.॰](?! ?\d))`,
    'giu',
  )
  return { pattern, numbers: months.numbers }
})

/** Words before a month and its year. After others, the numbers are rather those of a law or a file: `Decreto 03/2020`. */
const MONTH_AFTER: Readonly<Record<string, string>> = {
  en: 'in|due|by|since|until|till|from|expires|expired|dated',
  es: 'en|desde|hasta|vence',
  pt: 'em|desde|até|vence',
  fr: 'en|depuis|dès|fin|début',
  de: 'ab|bis|seit|im|Anfang|Mitte|Ende',
}
const monthOfYear = perLanguage(({ locale }) => {
  const words = MONTH_AFTER[locale.slice(0, 2)]
  if (words === undefined) return undefined
  return new RegExp(
    String.raw`(?<=(?<![\p{L}\p{M}])(?:${words}) )(?:(?<month>0[1-9]|1[0-2])\/|(?<padded>0[1-9])-)(?<year>(?:19|20)\d\d)(?![\p{L}\d/-]|\.\d)`,
    'giu',
  )
})

/** Words before the month and the year until which a card or a product is good. */
const EXPIRY: Readonly<Record<string, string>> = {
  en: String.raw`expiry|expiry date|expiration|expiration date|valid (?:thru|through|until|till)|good (?:thru|through)`,
  es: 'caduca|caducidad|vence|vencimiento|válida? hasta',
  pt: 'validade|vence|vencimento|válido até|válida até',
  fr: "expire|expiration|valable jusqu'au|valide jusqu'au",
  de: 'gültig bis|haltbar bis|Ablauf',
}
const SHORT_EXPIRY = String.raw`|(?<![\p{L}\p{M}])(?<expires>exp)[.:]{0,2} `
/** Beside the month and the year of a card. Elsewhere in English, the second number may be a day: `exp. 12/31`. */
const CARD =
  /(?<!\p{L})(?:visa|mastercard|amex|(?:credit|debit|bank) card|card (?:number|ending)|cvv|cvc)(?!\p{L})/iu
const MOST_DAYS = 31
const expiryOf = perLanguage(({ locale }) => {
  const base = locale.slice(0, 2)
  const words = EXPIRY[base]
  if (words === undefined) return undefined
  // Where the day comes first, it may be that of a month.
  const year = base === 'en' ? String.raw`\d{2}` : String.raw`(?:1[3-9]|[2-9]\d)`
  return new RegExp(
    String.raw`(?:(?<=(?<![\p{L}\p{M}])(?:${words})[.:]{0,2} )${base === 'en' ? SHORT_EXPIRY : ''})(?<month>0[1-9]|1[0-2])\/(?<year>${year})(?![\p{L}\d/-]|[.,]\d)`,
    'giu',
  )
})

/** Reads dates whose month is short or has no day: `3 ene. 2020`, `due 09/2024`. */
export const speakShortDates: Rule = (spoken, language) => {
  const short = shortDates(language)
  const named = replaceMatches(spoken, short?.pattern, (match) => {
    const { day, month = '', year } = match.groups ?? {}
    const date = {
      day: Number(day),
      ...(year !== undefined && { year: Number(year) }),
      month: short?.numbers.get(month.toLowerCase()) ?? 0,
    }
    const said = sayDate(date, textBefore(match), language)
    return said && said + stopAfter(match)
  })
  const dated = replaceMatches(named, expiryOf(language), (match) => {
    const { expires, month, year } = match.groups ?? {}
    const before = textBefore(match)
    const mayBeDay = language.locale.startsWith('en') || language.dateOrder === 'mdy'
    if (mayBeDay && Number(year) <= MOST_DAYS && !CARD.test(`${before}|${textAfter(match)}`)) return undefined
    const date = { year: fullYear(Number(year)), month: Number(month) }
    const verb = expires === undefined ? '' : expires.startsWith('E') ? 'Expires ' : 'expires '
    return verb + language.date(date, before)
  })
  return replaceMatches(dated, monthOfYear(language), (match) => {
    const { month, padded, year } = match.groups ?? {}
    return language.date({ year: Number(year), month: Number(month ?? padded) }, textBefore(match))
  })
}
