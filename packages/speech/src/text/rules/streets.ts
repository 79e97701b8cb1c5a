import { replaceMatches } from '../spoken-text.ts'
import type { Rule } from './rule.ts'

const STREETS =
  'Street|St|Road|Rd|Lane|Ln|Drive|Dr|Avenue|Ave|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq|Highway|Hwy|Parkway|Pkwy|Expressway|Expy|Way|Terrace'
const COMPASS: Readonly<Record<string, string>> = { N: 'North', S: 'South', E: 'East', W: 'West' }
/** A house number, with the side of the city, before a street of up to three words. */
const HOUSE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,$€£#/:-])(?<number>\d{3,4})(?: (?<side>[NSEW])\.?(?= ))?(?= (?:(?:\p{Lu}[\p{L}'’-]{0,24}|\d{1,3}(?:st|nd|rd|th)) ){1,3}(?:${STREETS})(?!\p{L}))`,
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
    ? replaceMatches(spoken, HOUSE, ({ groups: { number = '', side = '' } = {} }) =>
        [houseNumber(number), COMPASS[side] ?? ''].filter(Boolean).join(' '),
      )
    : spoken
