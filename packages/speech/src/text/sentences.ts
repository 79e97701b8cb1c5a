import { isGermanOrdinal } from './languages/german-ordinals.ts'
import { languageOf } from './languages/index.ts'
import { monthName } from './define-language.ts'
import { amountGoesOn } from './kitchen-units.ts'
import { alternatives, escapeSource } from './rules/rule.ts'
import { centuryGoesOn } from './rules/roman.ts'
import { verseGoesOn } from './rules/verses.ts'
import { weekdayGoesOn } from './rules/weekdays.ts'
import { shortMonthsOf } from './short-months.ts'

/**
 * The longest sentence, in UTF-16 units. A longer one ends at a clause mark, else between words, else between characters.
 * 400 units are about 25 s of speech, synthesized in about 80 ms.
 */
export const MAX_SENTENCE_UNITS = 400

/** Abbreviations of any language, without their full stops. */
const ABBREVIATIONS =
  'dr mr mrs ms prof st sr jr vs etc no vol fig approx dept est gov gen col sgt rev hon inc ltd co corp bzw usw sra srta dña mme mlle cf exp rs nrs ksh kshs tsh tshs sh shs руб रु रू'.split(
    ' ',
  )
/** The longest abbreviation and what precedes it. */
const BEFORE_UNITS = 24
/** A word of the next sentence, which shows that this one has ended (UAX 29, SB8). Scripts without spaces show it by a letter. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u
const NEXT_WORD = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|\p{L}\p{M}*[^\p{L}\p{M}]/u
const CLAUSE_END = /[,;:—–،؛，；：](?=\s)|[、，；：]/gu

/**
 * Finds ends of sentences, each with the white space after it, in the piece of bounded length at `start`.
 *
 * @param isComplete - whether nothing follows `text`; otherwise only ends are found that no further text can change
 * @returns offsets in order; none if more text is needed
 */
function sentenceEnds(options: {
  text: string
  start: number
  isComplete: boolean
  language: string
}): number[] {
  const { text, start, isComplete, language } = options
  const window = text.slice(start, start + MAX_SENTENCE_UNITS)
  const isFull = window.length === MAX_SENTENCE_UNITS
  const ends: number[] = []
  let from = 0
  for (const { index, segment } of sentenceSegmenter(language).segment(window)) {
    const at = index + segment.length
    if (at === window.length) break
    const after = window.slice(at)
    if (!NEXT_WORD.test(after) && (isFull || !isComplete)) break
    const sentence = window.slice(from, at)
    if (sentence.trim() === '' || goesOn(sentence, after, language)) continue
    ends.push(start + at)
    from = at
  }
  if (ends.length > 0) return ends
  if (isFull) return [start + forcedCut(window)]
  return isComplete && window !== '' ? [text.length] : []
}

/** Finds where to end a sentence that is longer than the window. */
function forcedCut(window: string): number {
  const half = window.length / 2
  const clause = [...window.matchAll(CLAUSE_END)].at(-1)
  if (clause !== undefined && clause.index >= half) return clause.index + clause[0].length
  const space = window.search(/\s\S*$/)
  if (space >= half) return space + 1
  // The last character may go on after the window.
  const whole = window.isWellFormed() ? window : window.replace(/[\ud800-\udbff]$/, '')
  const last = [...GRAPHEMES.segment(whole)].at(-1)?.index ?? 0
  return last > 0 ? last : whole.length
}
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Whether what looks like the end of a sentence is not: an abbreviation, an initial, an ordinal, a wrapped line. */
function goesOn(sentence: string, after: string, language: string): boolean {
  const words = sentence.trimEnd()
  const tail = words.slice(-BEFORE_UNITS)
  if (/[\n\r\u0085\u2028]/.test(sentence.slice(words.length))) {
    const lines = sentence.slice(words.length).match(/\r\n|[\n\r\u0085\u2028\u2029]/g) ?? []
    if (lines.length !== 1 || lines[0] === '\u2029' || /[.!?…।。！？؟"'”’)\]:;]$/u.test(tail)) return false
    const lastLine = words.slice(Math.max(words.lastIndexOf('\n'), words.lastIndexOf('\r')) + 1)
    return /^\s*\p{Ll}/u.test(after) || (/^\s*\p{Lo}/u.test(after) && lastLine.length >= WRAPPED_UNITS)
  }
  // Inside of an abbreviation or an address: `वि.सं.`, `docs?page=2`.
  if (words.length === sentence.length) {
    if (/[!?]$/.test(tail) && /^[\w/=&#-]/.test(after)) return true
    if (tail.endsWith('.') && /^[\p{L}\p{N}]/u.test(after) && !UNSPACED.test(after.charAt(0))) return true
    // Between the numbers of a date: `२०८१।०३।१५`.
    if (/\p{Nd}।$/u.test(tail) && /^\p{Nd}/u.test(after)) return true
  }
  if (!tail.endsWith('.')) return false
  const known = languageOf(language)
  return (
    endsInAbbreviation(tail, language) ||
    ordinalGoesOn(tail, after, language) ||
    shortMonthGoesOn(tail, after, language) ||
    (/^en/i.test(language) && verseGoesOn(tail, after)) ||
    centuryGoesOn(tail, after, language) ||
    (known !== undefined && (weekdayGoesOn(tail, after, known) || amountGoesOn(tail, after, known)))
  )
}

/** A line of a script without case that is at least this long is taken as wrapped. */
const WRAPPED_UNITS = 40

/** German ordinals have a full stop: `am 22. November`. */
function ordinalGoesOn(tail: string, after: string, language: string): boolean {
  if (languageOf(language)?.locale !== 'de' || !/(?:^|[\s–-])\d{1,3}\.$/.test(tail)) return false
  return isGermanOrdinal(tail, after) || germanMonth().test(after)
}

const germanMonth = once(
  () =>
    new RegExp(
      `^\\s*(?:(?:Jan|Feb|Mär|Mrz|Apr|Jun|Jul|Aug|Sept?|Okt|Nov|Dez)\\.|${alternatives(Array.from({ length: 12 }, (_, month) => monthName('de', month + 1)))})`,
    ),
)

/** A date may go on after a short month: `3 ene. 2020`, `SEPT. 15`. */
function shortMonthGoesOn(tail: string, after: string, language: string): boolean {
  if (!/^\s?\d{1,4}(?!\d)/.test(after)) return false
  let pattern = shortMonthEnds.get(language)
  if (pattern === undefined) {
    const locale = languageOf(language)?.locale ?? ''
    const { source = '(?!)' } = shortMonthsOf(locale) ?? {}
    const day = locale.startsWith('en') ? '' : String.raw`\d[.º]?[ -](?:de )?`
    pattern = new RegExp(String.raw`(?<![\p{L}\p{M}])${day}(?:${source})\.$`, 'iu')
    shortMonthEnds.set(language, pattern)
  }
  return pattern.test(tail)
}
const shortMonthEnds = new Map<string, RegExp>()

function once<Value>(build: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= build())
}

const segmenters = new Map<string, Intl.Segmenter>()
function sentenceSegmenter(language: string): Intl.Segmenter {
  const known = segmenters.get(language)
  if (known !== undefined) return known
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** The last of initials such as `सि.ई.ओ.`. */
const INITIALS_OF_DEVANAGARI = String.raw`(?:[\p{sc=Deva}\p{M}]{1,6}\.){2}`

interface FalseEnds {
  anyCase: RegExp
  asWritten: RegExp
}

const falseEnds = new Map<string, FalseEnds>()

/** Whether the last full stop of a text belongs to an abbreviation or an initial. */
function endsInAbbreviation(tail: string, language: string): boolean {
  let ends = falseEnds.get(language)
  if (ends === undefined) {
    const own = Object.keys(languageOf(language)?.abbreviations ?? {})
      .map((key) => key.replace(/^(?:# (?:Aa )?|[,(] )/, '').replace(/ (?:#|Aa|अ)$/, ''))
      .filter((key) => key.endsWith('.'))
      // Also after the first part of `z. B.`.
      .flatMap((key) => [...key.matchAll(/\.(?= |$)/g)].map(({ index }) => key.slice(0, index + 1)))
      .map((key) =>
        key.startsWith('~') ? String.raw`\p{L}{2,}${escapeSource(key.slice(1))}` : escapeSource(key),
      )
    const start = String.raw`(?:^|[^\p{L}\p{M}])`
    ends = {
      anyCase: new RegExp(String.raw`${start}(?:${ABBREVIATIONS.join('|')})\.$`, 'iu'),
      // The last letter of a spelled acronym is no initial.
      asWritten: new RegExp(
        String.raw`${start}(?:${[...own, String.raw`(?<!\p{Lu} )\p{Lu}\.`, INITIALS_OF_DEVANAGARI].join('|')})$`,
        'u',
      ),
    }
    falseEnds.set(language, ends)
  }
  return ends.anyCase.test(tail) || ends.asWritten.test(tail)
}

/** Cuts a text into its sentences, each with the white space after it. Together they are the text. */
export function* sentencesOf(text: string, language: string): Generator<string> {
  for (let start = 0; start < text.length;)
    for (const end of sentenceEnds({ text, start, isComplete: true, language })) {
      yield text.slice(start, end)
      start = end
    }
}

/** Yields the sentences of a text that arrives in pieces: the same as of the whole, whatever the pieces. */
export interface SentenceReader {
  /** Returns the sentences that no further text can change. Keeps less than `MAX_SENTENCE_UNITS`. */
  push(piece: string): string[]
  /** Returns what is left. The next piece starts a new text. */
  flush(): string[]
}

export function createSentenceReader(language: string): SentenceReader {
  let rest = ''
  return {
    push(piece) {
      rest += piece
      const sentences: string[] = []
      let start = 0
      for (;;) {
        const ends = sentenceEnds({ text: rest, start, isComplete: false, language })
        for (const end of ends) {
          sentences.push(rest.slice(start, end))
          start = end
        }
        if (ends.length === 0) break
      }
      rest = rest.slice(start)
      return sentences
    },
    flush() {
      const sentences = [...sentencesOf(rest, language)]
      rest = ''
      return sentences
    },
  }
}
