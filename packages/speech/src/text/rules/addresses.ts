import type { Language, SymbolNames } from '../language.ts'
import { replaceMatches } from '../spoken-text.ts'
import type { Rule } from './rule.ts'

/** Top-level domains by which an address without a scheme is recognized. */
const DOMAINS =
  'com|org|net|edu|gov|info|biz|io|dev|app|ai|tech|shop|online|site|co|me|tv|xyz|in|np|uk|us|ca|au|de|fr|es|pt|br|mx|ru|cn|tw|jp|ke|tz|sa|ae|eu|ch|at|nl|it'
const LABELS = String.raw`(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.){1,5}`
const MORE = String.raw`(?::\d{1,5})?(?:[/?#][\x21-\x7e]{0,400})?`

const EMAIL = String.raw`(?<![A-Za-z\d._%+-])[A-Za-z\d][A-Za-z\d._%+-]{0,63}@${LABELS}[A-Za-z]{2,24}(?![A-Za-z\d])`
const URL = String.raw`(?<![A-Za-z\d])(?:https?://|www\.)[A-Za-z\d][\x21-\x7e]{1,500}`
const BARE = String.raw`(?<![A-Za-z\d@._/-])${LABELS}(?:${DOMAINS})(?![A-Za-z\d-]|\.[A-Za-z\d])${MORE}`
const ADDRESS = new RegExp(`${EMAIL}|${URL}|${BARE}`, 'g')
/** Letters that make one word with what they touch, for a class. */
const LETTERS = String.raw`\p{sc=Latn}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Deva}`
const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
/** IPv4, with a port or the length of a prefix. Shorter numbers are rather those of sections: `3.10.12.1`. */
const IPV4 = new RegExp(
  String.raw`(?<![${LETTERS}\d.,:/-])(?=\d{2,3}\.|[\d.]{1,9}\d{3})${OCTET}(?:\.${OCTET}){3}(?::\d{1,5}|\/\d{1,2})?(?![\p{sc=Latn}\d]|[.:/-]\d)`,
  'gu',
)
const HEX = '[\\dA-Fa-f]'
/** IPv6, as a whole or with one gap, and hardware addresses, whose groups are heard as such. */
const HEXADECIMAL = new RegExp(
  String.raw`(?<![${LETTERS}\d:.-])(?:(?:${HEX}{1,4}:){7}${HEX}{1,4}|(?=[\d:]{0,35}[A-Fa-f]|::)(?:${HEX}{1,4}:){0,6}:(?:${HEX}{1,4}(?::${HEX}{1,4}){0,5})?(?=[^:]|$)|${HEX}{2}(?::${HEX}{2}){5}|(?=[\d-]{0,16}[A-Fa-f])${HEX}{2}(?:-${HEX}{2}){5})(?![${LETTERS}\d:]|-\d)`,
  'gu',
)
/** Punctuation of the sentence around an address. */
const TRAILING = /[.,;:!?"')\]}>]+$/

const SYMBOLS: Readonly<Record<string, keyof SymbolNames>> = {
  '@': 'at',
  '.': 'dot',
  '/': 'slash',
  '-': 'dash',
  _: 'underscore',
  ':': 'colon',
  '=': 'equals',
  '&': 'and',
  '?': 'question',
  '#': 'hash',
  '%': 'percent',
  '+': 'plus',
  '~': 'tilde',
}

/**
 * Reads e-mail addresses and URLs as they are dictated, `sita at example dot com`, and those of machines digit by digit. The
 * scheme is not read.
 */
export const speakAddresses: Rule = (spoken, language) => {
  const named = replaceMatches(spoken, ADDRESS, ([written]) => {
    const trailing = TRAILING.exec(written)?.[0] ?? ''
    const address = written.slice(0, written.length - trailing.length)
    return dictate(address, language) + trailing
  })
  const numbered = replaceMatches(named, IPV4, ([written]) => spellOut(written, language))
  return replaceMatches(numbered, HEXADECIMAL, ([written]) => {
    // `a::b` is a name in a program.
    if (!/\d/.test(written)) return undefined
    const isHardware = /^(?:..[:-]){5}..$/.test(written)
    return isHardware
      ? written
          .split(/[:-]/)
          .map((group) => spellOut(group, language))
          .join(', ')
      : spellOut(written, language)
  })
}

/** Reads an address character by character, with the names of its signs. */
function spellOut(address: string, language: Language): string {
  return [...address.matchAll(/[A-Za-z]+|\d+|[^A-Za-z\d]/g)]
    .map(([part]) => {
      const name = SYMBOLS[part]
      if (name !== undefined) return language.symbols[name]
      return /^\d/.test(part) ? language.digits(part) : language.spell(part.toUpperCase())
    })
    .join(' ')
}

/** Without vowels, letters make no word: `www`, `html`. */
const UNSPEAKABLE = /^[b-df-hj-np-tv-xz]{2,6}$/i

/** More parts of letters and digits are rather a hash than words. */
const MOST_PARTS = 3

function dictate(address: string, language: Language): string {
  const runs = address
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .matchAll(/[A-Za-z\d]+|[^A-Za-z\d]/g)
  return [...runs].map(([run]) => sayRun(run, language)).join(' ')
}

/** Says a sign, or letters and digits without signs between them: `sita2`, `4f7efbd0fb6c3`. */
function sayRun(run: string, language: Language): string {
  const parts = run.match(/[A-Za-z]+|\d+/g) ?? []
  if (parts.length === 0 || parts.length > MOST_PARTS) return spellOut(run, language)
  return parts
    .map((part, index) => {
      if (/^\d/.test(part)) return language.digits(part)
      const known = language.addressWords?.[part.toLowerCase()]
      if (known !== undefined) return known
      // After a number, a few letters would be a unit: `16d`.
      const isSpelled = UNSPEAKABLE.test(part) || (index > 0 && part.length <= 2)
      return isSpelled ? language.spell(part.toUpperCase()) : part
    })
    .join(' ')
}
