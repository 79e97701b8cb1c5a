import { replaceMatches } from '../spoken-text.ts'
import type { Rule } from './rule.ts'

/** Books of the Bible by their short names (SBL Handbook of Style). */
const BOOKS: Readonly<Record<string, string>> = {
  Gen: 'Genesis',
  Exod: 'Exodus',
  Lev: 'Leviticus',
  Num: 'Numbers',
  Deut: 'Deuteronomy',
  Josh: 'Joshua',
  Ps: 'Psalm',
  Prov: 'Proverbs',
  Isa: 'Isaiah',
  Jer: 'Jeremiah',
  Matt: 'Matthew',
  Rom: 'Romans',
  Cor: 'Corinthians',
  Gal: 'Galatians',
  Eph: 'Ephesians',
  Phil: 'Philippians',
  Col: 'Colossians',
  Heb: 'Hebrews',
  Rev: 'Revelation',
}
const NAMES = Object.keys(BOOKS).join('|')
const VERSE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?<book>${NAMES})\. (?<chapter>\d{1,3}):(?<verse>\d{1,3})(?:[-–](?<last>\d{1,3}))?(?![\d:]|\s?[ap]\.?m)`,
  'gu',
)

const BOOK_END = new RegExp(String.raw`(?<!\p{L})(?:${NAMES})\.$`, 'u')

/** Whether a text ends with a book of which a verse follows. */
export const verseGoesOn = (tail: string, after: string): boolean =>
  /^\s?\d{1,3}:\d/.test(after) && BOOK_END.test(tail)

/** Reads verses of the Bible in English: `Gen. 1:1`. Without the full stop, most are names of people: `Call Matt 3:30`. */
export const speakVerses: Rule = (spoken, { locale, symbols }) =>
  locale.startsWith('en')
    ? replaceMatches(spoken, VERSE, ({ groups = {} }) => {
        const { book = '', chapter, verse, last } = groups
        const until = last === undefined ? '' : ` ${symbols.to} ${last}`
        return `${BOOKS[book]} ${chapter} ${verse}${until}`
      })
    : spoken
