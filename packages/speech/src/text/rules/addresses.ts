import type { Language, SymbolNames } from '../language.ts'
import { isCode } from '../numerals.ts'
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

/** Reads e-mail addresses and URLs as they are dictated: `sita at example dot com`. The scheme is not read. */
export const speakAddresses: Rule = (spoken, language) =>
  replaceMatches(spoken, ADDRESS, ([written]) => {
    const trailing = TRAILING.exec(written)?.[0] ?? ''
    const address = written.slice(0, written.length - trailing.length)
    return dictate(address, language) + trailing
  })

function dictate(address: string, language: Language): string {
  const said: string[] = []
  for (const [part] of address
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .matchAll(/[A-Za-z]+|\d+|[^A-Za-z\d]/g)) {
    const name = SYMBOLS[part]
    if (name !== undefined) said.push(language.symbols[name])
    else if (part === 'www') said.push(language.spell('WWW'))
    else if (/^\d/.test(part))
      said.push(
        isCode(part) || part.length > 4
          ? language.digits(part)
          : language.number({ negative: false, integer: part, fraction: '' }),
      )
    else said.push(part)
  }
  return said.join(' ')
}
