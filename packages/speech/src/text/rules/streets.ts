import { STREETS } from '../languages/english.ts'
import { replaceMatches } from '../spoken-text.ts'
import { NO_NAME } from './abbreviations.ts'
import type { Rule } from './rule.ts'

const SHORT = STREETS.map(([short]) => short).join('|')
/** In full, these may be of a name before what is counted, as in `600 High Court judges`, unless the address ends. */
const FULL = [...STREETS.map(([, full]) => full), 'Way', 'Terrace'].join('|')
const COMPASS: Readonly<Record<string, string>> = { N: 'North', S: 'South', E: 'East', W: 'West' }
/** A house number, with the side of the city, before a street of up to three words. */
const HOUSE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,$€£#/:-]|(?<!\p{L})(?:[Ii]n|[Ss]ince|[Uu]ntil|[Yy]ear|[Cc]irca|early|late) )(?<number>\d{3,4})(?: (?<side>[NSEW])\.?(?= ))?(?= (?:(?:(?:St|Mt|Ft)\.|\p{Lu}\p{Ll}[\p{L}'’-]{0,23}|\d{1,3}(?:st|nd|rd|th)) ){1,3}(?:(?:${FULL})(?=[,;.)]|\s*$)|(?:${SHORT})(?!\p{L})\.?(?<after>[^]{0,16})))`,
  'gu',
)

/** Reads the number of a house in the United States in halves: `14 28 Elm Street`, `1 23 Main Street`, `12 hundred`. */
function houseNumber(number: string): string {
  const [front, rest] = [number.slice(0, -2), number.slice(-2)]
  if (rest === '00') return front.endsWith('0') ? number : `${front} hundred`
  return `${front} ${rest.startsWith('0') ? `oh ${rest.slice(1)}` : rest}`
}

/** Reads the numbers of houses in English street addresses: `1428 Elm St`, `1211 E Arques Ave`. */
export const speakStreets: Rule = (spoken, { locale }) =>
  locale === 'en'
    ? replaceMatches(spoken, HOUSE, ({ groups: { number = '', side = '', after = '' } = {} }) =>
        NO_NAME.test(after)
          ? [houseNumber(number), COMPASS[side] ?? ''].filter(Boolean).join(' ')
          : undefined,
      )
    : spoken
