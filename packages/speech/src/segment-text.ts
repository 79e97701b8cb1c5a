/** A piece of text that is synthesized at once, and the pause after it. */
export interface TextSegment {
  text: string
  pauseMs: number
}

/**
 * Maximum UTF-16 units of the first, the second and all further segments. The first is short, so that the first sound
 * comes soon even if many streams begin at once. 200 units are about 12 s of speech, synthesized in about 40 ms, so no
 * stream occupies an engine for long.
 */
const MAX_UNITS = [40, 80, 200] as const
/** Without a clause mark within its limit, the first segment ends at the last word boundary up to this length. */
const FIRST_WORD_CUT_UNITS = 28
const MIN_CLAUSE_UNITS = 12
const PAUSE_MS = { sentence: 290, clause: 120, word: 0 } as const

const CLAUSE_MARK = /[,;:—–،؛、，；：](?=\s|$)|[、，；：]/gu
const ABBREVIATIONS = new Set(
  'dr mr mrs ms prof st sr jr vs etc no vol fig approx dept est gov gen col sgt rev hon inc ltd co corp bzw usw sra srta dña mme mlle cf'.split(
    ' ',
  ),
)
/** The longest abbreviation, its full stop, and one character before it, which shows if the word is longer. */
const ABBREVIATION_UNITS = 8
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Cuts text into segments of at most 200 UTF-16 units: at the ends of sentences, else at clause marks, else between
 * words, else between characters (grapheme clusters), and within a character only if it is longer than the limit. The
 * segments contain the whole text except the white space around them. Time and memory are linear in the text's length,
 * because each match inspects a piece of bounded length.
 */
export function segmentText(text: string, language: string): TextSegment[] {
  const segments: TextSegment[] = []
  for (const sentence of sentencesOf(text, language))
    for (const segment of splitSentence(sentence, segments.length)) segments.push(segment)
  return segments
}

const maxUnits = (index: number): number => MAX_UNITS[Math.min(index, MAX_UNITS.length - 1)] ?? 0

function* sentencesOf(text: string, language: string): Generator<string> {
  let start = 0
  let goesOn = false
  for (const { index, segment } of new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)) {
    const words = segment.trimEnd()
    if (words !== '') goesOn = endsInAbbreviation(words)
    if (goesOn) continue
    const end = index + segment.length
    const sentence = text.slice(start, end).trim()
    if (sentence !== '') yield sentence
    start = end
  }
  const rest = text.slice(start).trim()
  if (rest !== '') yield rest
}

/** Detects a false sentence end, as in `Dr. Smith` and `J. Smith`. */
function endsInAbbreviation(sentence: string): boolean {
  const word = /(?<!\p{L})(\p{L}+)\.$/u.exec(sentence.slice(-ABBREVIATION_UNITS))?.[1]
  return word !== undefined && (ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word))
}

/** Splits a trimmed sentence whose first segment has the index `firstIndex` in the text. */
function* splitSentence(sentence: string, firstIndex: number): Generator<TextSegment> {
  let start = 0
  for (let index = firstIndex; ; index++) {
    const limit = maxUnits(index)
    if (sentence.length - start <= limit) break
    // The two units after the limit show whether a mark ends a clause and whether a character continues.
    const cut = findCut(sentence.slice(start, start + limit + 2), limit, index === 0)
    yield { text: sentence.slice(start, start + cut.at).trim(), pauseMs: PAUSE_MS[cut.kind] }
    start += cut.at
    while (isSpace(sentence, start)) start++
  }
  yield { text: sentence.slice(start), pauseMs: PAUSE_MS.sentence }
}

const isSpace = (text: string, index: number): boolean => /\s/.test(text.charAt(index))

/** Finds where to cut a text longer than `limit`; `window` is its beginning. */
function findCut(
  window: string,
  limit: number,
  isFirst: boolean,
): { at: number; kind: keyof typeof PAUSE_MS } {
  const clauses = [...window.slice(0, limit + 1).matchAll(CLAUSE_MARK)]
    .map((match) => match.index + match[0].length)
    .filter((at) => at >= MIN_CLAUSE_UNITS && at <= limit)
  // The first sound should come soon; after that, long segments sound better.
  const clause = isFirst ? clauses[0] : clauses.at(-1)
  if (clause !== undefined) return { at: clause, kind: 'clause' }
  const wordLimit = isFirst ? FIRST_WORD_CUT_UNITS : limit
  const beforeSpace = /^[^]*(?=\s)/.exec(window.slice(0, wordLimit + 1))?.[0].length ?? 0
  return { at: beforeSpace > 0 ? beforeSpace : characterCut(window, wordLimit), kind: 'word' }
}

/** Finds the last character boundary within `limit`, or the last code point boundary if the first character is longer. */
function characterCut(window: string, limit: number): number {
  let end = 0
  for (const { index, segment } of GRAPHEMES.segment(window)) {
    if (index + segment.length > limit) break
    end = index + segment.length
  }
  if (end > 0) return end
  return (window.codePointAt(limit - 1) ?? 0) > 0xff_ff ? limit - 1 : limit
}
