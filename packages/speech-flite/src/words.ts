import toAscii from 'any-ascii'
import { toCardinal, toOrdinal } from 'n2words/en-US'

/** A word of a request's text, as UTF-16 offsets with an exclusive end, and as Flite reads it. */
export interface Word {
  start: number
  end: number
  /** Printable ASCII. */
  spoken: string
  /** The pause that the text makes after the word. */
  pause: Pause
}

export type Pause = 'none' | 'clause' | 'sentence'

/** White space, and characters that an engine must not see. Longer words are read in parts, so that none takes long. */
const WORD = /(?:[^\s\p{Cc}\p{Cs}\p{Co}\p{Cn}]|\ufeff){1,60}/gu
/** Signs that Flite skips or misreads; `any-ascii` writes the money as codes. */
const SIGNS: Readonly<Record<string, string>> = {
  '&': ' and ',
  '+': ' plus ',
  '=': ' equals ',
  '<': ' less than ',
  '>': ' greater than ',
  '£': ' pounds ',
  '€': ' euros ',
  '°': ' degrees ',
  '×': ' times ',
}
const SIGN = /[&+=<>£€°×]/g
const UNPRINTABLE = /[^ -~]+/g
/**
 * An integer, which is said as a number. Flite guesses from the words around it, and makes a day of the `24` in `November 20 24`, and
 * digits of those in `11 30`. It reads only four digits that are rather a year as people do.
 */
const INTEGER =
  /(?<=^["'([{]*)(?!(?:1[1-9]|2[01])\d\d(?!\d))(?:0|[1-9]\d{0,2}(?:,\d{3}){1,4}|[1-9]\d{0,14})(?=["')\]},.:;!?]*$)/
/** A long ordinal, of which Flite says the ending by itself. It spells `thousandth`, but says `2000th` right. */
const ORDINAL = /(?<=^["'([{]*)(?!\d{0,9}[1-9]\d{0,2}000th)[1-9]\d{3,14}(?:st|nd|rd|th)(?=["')\]},.:;!?]*$)/
/** Words that have a sound. */
const AUDIBLE = /[a-z0-9@#$%*^=~_|\\/]/i
const CLAUSE_END = /[,;:–—-]["')\]”’»]*$/u
const SENTENCE_END = /[.!?…]["')\]”’»]*$/u

/**
 * Splits a text into the words that have a sound. Flite reads ASCII only, so letters with accents lose them, and other scripts are read
 * as their transliteration: no word is lost silently.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const pause = pauseAfter(written)
    const spoken = toAscii(written.replaceAll(SIGN, (sign) => SIGNS[sign] ?? sign))
      .replaceAll(UNPRINTABLE, ' ')
      .trim()
      .replace(INTEGER, (digits) => toCardinal(digits.replaceAll(',', '')))
      .replace(ORDINAL, (ordinal) => toOrdinal(ordinal.slice(0, -2)))
    const last = words.at(-1)
    if (AUDIBLE.test(spoken)) words.push({ start: index, end: index + written.length, spoken, pause })
    // A dash between words pauses, as a comma does.
    else if (last !== undefined && pause !== 'none') last.pause = pause
  }
  return words
}

function pauseAfter(written: string): Pause {
  if (SENTENCE_END.test(written)) return 'sentence'
  return CLAUSE_END.test(written) ? 'clause' : 'none'
}
