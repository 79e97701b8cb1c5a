import type { Language } from '../language.ts'
import { stopAfter, textBefore } from './context.ts'
import { sayDate } from './dates.ts'
import { dateOf, monthsOf, type NamedDate } from './named-date.ts'
import { alternatives } from './rule.ts'

/** Words before a day that need no other. */
const AFTER_PREPOSITION = /(?<!\p{L})(?:на|до|к|ко|в|во|по|от|из|за|с|со|о|об|для)\s$/iu

/** Two days of a month: `с 2 по 5 мая`, `с 5 до 10 мая`, `28-30 ноября`. */
function russianRange(months: readonly string[], language: Language): NamedDate {
  return {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}.,-])(?:(?<since>[Сс]о?) (?<from>\d{1,2}) (?<to>по|до|на) |(?<first>\d{1,2}) ?[-–] ?)(?=(?<day>\d{1,2}) (?:${alternatives(months)})(?!\p{L}))`,
      'gu',
    ),
    say(match) {
      const { since, from, first, to, day: until } = match.groups ?? {}
      const say = (day: number, before: string) => sayDate({ day }, before, language)
      const day = Number(from ?? first)
      if (Number(until) <= day && since === undefined) return undefined
      if (since !== undefined) return sinceDay(say(day, 'с '), since, ` ${to} `)
      const before = textBefore(match)
      if (!AFTER_PREPOSITION.test(before)) return sinceDay(say(day, 'с '), 'с', ' по ')
      // The preposition before a dash is that of the second day, too.
      const said = say(day, before)
      return said && `${said} – `
    },
  }
}

/** `с пятого`, but `со второго`. */
const sinceDay = (day: string | undefined, since: string, to: string): string | undefined =>
  day && `${since.charAt(0)}${day.startsWith('вт') ? 'о' : ''} ${day}${to}`

export function russian(language: Language): NamedDate[] {
  const months = monthsOf('ru')
  /** With the full stop of `г.`, if it ends the sentence, too. */
  const withStop = (said: string | undefined, match: RegExpExecArray) => said && said + stopAfter(match)
  return [
    russianRange(months, language),
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<decade>\d{0,3}[1-9]0)-(?<ending>е|ые|х|ых) гг\.?(?!\p{L})/gu,
      say(match) {
        const { decade, ending = '' } = match.groups ?? {}
        const said = language.ordinal(Number(decade), `-${ending.at(-1)}`, ' годы')
        return withStop(said && `${said} ${ending.endsWith('е') ? 'годы' : 'годов'}`, match)
      },
    },
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,/])(?<day>\d{1,2}) (?<month>${alternatives(months)})(?!\p{L})(?: (?<year>\d{4})(?!\d)(?: (?:года|г\.?)(?!\p{L}))?)?`,
        'gu',
      ),
      say: (match) => withStop(sayDate(dateOf(match, months), textBefore(match), language), match),
    },
    {
      pattern:
        /(?<![\p{L}\p{N}.,])(?<year>\d{4}|\d{1,3}(?= [\p{L}.]+ (?:до )?н\. ?э\.)) (?<word>года|году|г\.)(?!\p{L})/gu,
      say(match) {
        const { word } = match.groups ?? {}
        const before = textBefore(match)
        const said = sayDate(dateOf(match, months), before, language)
        // After the preposition в, the locative.
        const isLocative = word === 'году' || (word === 'г.' && /(?:^|\s)во?\s$/iu.test(before))
        return withStop(isLocative ? said?.replace(/(?<=[ое])го года$/, 'м году') : said, match)
      },
    },
  ]
}
