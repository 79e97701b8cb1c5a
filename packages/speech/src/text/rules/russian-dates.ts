import type { Language } from '../language.ts'
import { ENDS_SENTENCE } from './abbreviations.ts'
import { sayDate, textBefore } from './dates.ts'
import { dateOf, monthsOf, type NamedDate } from './named-date.ts'
import { alternatives } from './rule.ts'

/** Words before a day that need no other. */
const AFTER_PREPOSITION = /(?<!\p{L})(?:на|до|к|ко|в|во|по|от|из|за|с|со|о|об|для)\s$/iu

/** Two days of a month: `с 2 по 5 мая`, `с 5 до 10 мая`, `28-30 ноября`. */
function russianRange(months: readonly string[], language: Language): NamedDate {
  return {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}.,-])(?:(?<since>[Сс]о?) (?<from>\d{1,2}) (?<to>по|до|на) |(?<from>\d{1,2}) ?[-–] ?)(?=(?<day>\d{1,2}) (?:${alternatives(months)})(?!\p{L}))`,
      'gu',
    ),
    say({ index, groups: { since, from, to, day: until } = {} }, text) {
      const say = (day: number, before: string) =>
        sayDate({ date: { day }, language, text: before, index: before.length })
      const day = Number(from)
      if (Number(until) <= day && since === undefined) return undefined
      if (since !== undefined) return sinceDay(say(day, 'с '), since, ` ${to} `)
      const before = textBefore(text, index)
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
  /** The full stop of `г.`, if it ends the sentence, too. */
  const stopAfter = ({ 0: written, index }: RegExpExecArray, text: string) => {
    const end = index + written.length
    return written.endsWith('.') && ENDS_SENTENCE.test(text.slice(end, end + 16)) ? '.' : ''
  }
  const withStop = (said: string | undefined, match: RegExpExecArray, text: string) =>
    said === undefined ? undefined : said + stopAfter(match, text)
  return [
    russianRange(months, language),
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<decade>\d{0,3}[1-9]0)-(?<ending>е|ые|х|ых) гг\.?(?!\p{L})/gu,
      say(match, text) {
        const { decade, ending = '' } = match.groups ?? {}
        const said = language.ordinal(Number(decade), `-${ending.at(-1)}`, ' годы')
        return withStop(said && `${said} ${ending.endsWith('е') ? 'годы' : 'годов'}`, match, text)
      },
    },
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,/])(?<day>\d{1,2}) (?<month>${alternatives(months)})(?!\p{L})(?: (?<year>\d{4})(?!\d)(?: (?:года|г\.?)(?!\p{L}))?)?`,
        'gu',
      ),
      say: (match, text) =>
        withStop(sayDate({ date: dateOf(match, months), language, text, index: match.index }), match, text),
    },
    {
      pattern:
        /(?<![\p{L}\p{N}.,])(?:(?<year>\d{4}) (?<word>года|году|г\.)(?!\p{L})|(?<year>\d{1,3}) (?<word>года|году|г\.)(?= (?:до )?н\. ?э\.))/gu,
      say(match, text) {
        const { word } = match.groups ?? {}
        const said = sayDate({ date: dateOf(match, months), language, text, index: match.index })
        // After the preposition в, the locative.
        const isLocative =
          word === 'году' || (word === 'г.' && /(?:^|\s)во?\s$/iu.test(textBefore(text, match.index)))
        const locative =
          said === undefined
            ? undefined
            : said.replace(/(?:ого|его) года$/, (ending) =>
                ending.startsWith('ого') ? 'ом году' : 'ем году',
              )
        return withStop(isLocative ? locative : said, match, text)
      },
    },
  ]
}
