import { replaceMatches } from '../spoken-text.ts'
import { perLanguage, type Rule } from './rule.ts'

const ZONES = 'GMT|UTC|EST|EDT|CST|CDT|MST|MDT|PST|PDT|CET|CEST|IST|BST|JST|NPT|EAT|MSK|MEZ|MESZ'
/** After a time, or before an offset, as the initials of names. */
const ZONE = new RegExp(
  String.raw`(?<=(?:\d:[0-5]\d|\d\s?[AaPp](?:\.\s?)?[Mm]\.?|\d\s(?:Uhr|h|बजे))\s\(?|\d:[0-5]\d)(?<zone>${ZONES})(?:(?<sign>[+−–-])(?<hours>0?\d|1[0-4])(?::?(?<minutes>[0-5]\d))?)?(?![\p{L}\d])|(?<![\p{L}\d])(?<before>GMT|UTC) ?(?<way>[+−–-]) ?(?<by>0?\d|1[0-4])(?::?(?<rest>[0-5]\d))?(?![\p{L}\d:]|[.,]\d)`,
  'gu',
)

const say = perLanguage(({ spell, symbols }) => (groups: Readonly<Record<string, string | undefined>>) => {
  const { zone, sign, hours, minutes, before = '', way, by, rest } = groups
  const name = spell(zone ?? before)
  const offset = sign ?? way
  if (offset === undefined) return name
  const past = Number(minutes ?? rest ?? 0)
  const parts = [name, offset === '+' ? symbols.plus : symbols.minus, Number(hours ?? by)]
  return (past === 0 ? parts : [...parts, past]).join(' ')
})

/** Spells time zones: `9:00 AM EST`, `11:30EST`, `UTC+5:45`. */
export const speakTimeZones: Rule = (spoken, language) =>
  replaceMatches(spoken, ZONE, ({ groups = {}, index }) => {
    const gap = /\d/.test(spoken.text.charAt(index - 1)) ? ' ' : ''
    return gap + say(language)(groups)
  })
