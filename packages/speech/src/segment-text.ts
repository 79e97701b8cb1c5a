/** A piece of text that is spoken in one go, and the silence that follows it. */
export interface TextSegment {
  text: string
  pauseMs: number
}

/**
 * How many UTF-16 units the first, the second and all further segments may have. The first is short, so that the first
 * sound comes soon however many streams begin at once; 200 are about 12 s of speech, made in some 40 ms, so that no
 * stream keeps an engine for long.
 */
const MAX_UNITS = [40, 80, 200] as const
/** If the first segment has no clause mark in reach, it ends after a word before this. */
const FIRST_WORD_CUT_UNITS = 28
const MIN_CLAUSE_UNITS = 12
const PAUSE_MS = { sentence: 290, clause: 120, word: 0 } as const

const CLAUSE_MARK = /[,;:—–،؛、，；：](?=\s|$)|[、，；：]/gu
const ABBREVIATIONS = new Set(
  'dr mr mrs ms prof st sr jr vs etc no vol fig approx dept est gov gen col sgt rev hon inc ltd co corp bzw usw sra srta dña mme mlle cf'.split(
    ' ',
  ),
)
/** The longest abbreviation, its full stop, and the letter before, by which a longer word is known. */
const ABBREVIATION_UNITS = 8
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Cuts text into segments of at most 200 UTF-16 units: at the ends of sentences, else at clause marks, else between
 * words, and within a character as it is seen only if that is longer. The segments hold all of the text except white
 * space around them. Takes time and memory in proportion to the text: all looks are at pieces of a bounded length.
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

/** `Dr. Smith` is no two sentences, nor is `J. Smith`. */
function endsInAbbreviation(sentence: string): boolean {
  const word = /(?<!\p{L})(\p{L}+)\.$/u.exec(sentence.slice(-ABBREVIATION_UNITS))?.[1]
  return word !== undefined && (ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word))
}

/** Splits a trimmed sentence, whose first segment will be the one at `firstIndex` of the text. */
function* splitSentence(sentence: string, firstIndex: number): Generator<TextSegment> {
  let start = 0
  for (let index = firstIndex; ; index++) {
    const limit = maxUnits(index)
    if (sentence.length - start <= limit) break
    // Two units more show whether a mark ends a clause, and whether a character goes on.
    const cut = findCut(sentence.slice(start, start + limit + 2), limit, index === 0)
    yield { text: sentence.slice(start, start + cut.at).trim(), pauseMs: PAUSE_MS[cut.kind] }
    start += cut.at
    while (isSpace(sentence, start)) start++
  }
  yield { text: sentence.slice(start), pauseMs: PAUSE_MS.sentence }
}

const isSpace = (text: string, index: number): boolean => /\s/.test(text.charAt(index))

/** Where to cut a text that is longer than `limit`, of which `window` is the beginning. */
function findCut(
  window: string,
  limit: number,
  isFirst: boolean,
): { at: number; kind: keyof typeof PAUSE_MS } {
  const clauses = [...window.slice(0, limit + 1).matchAll(CLAUSE_MARK)]
    .map((match) => match.index + match[0].length)
    .filter((at) => at >= MIN_CLAUSE_UNITS && at <= limit)
  // The first sound should come soon; later on, long segments sound better.
  const clause = isFirst ? clauses[0] : clauses.at(-1)
  if (clause !== undefined) return { at: clause, kind: 'clause' }
  const wordLimit = isFirst ? FIRST_WORD_CUT_UNITS : limit
  const beforeSpace = /^[^]*(?=\s)/.exec(window.slice(0, wordLimit + 1))?.[0].length ?? 0
  return { at: beforeSpace > 0 ? beforeSpace : characterCut(window, wordLimit), kind: 'word' }
}

/** The last end of a character within `limit`; of a code point, if the first character is longer. */
function characterCut(window: string, limit: number): number {
  let end = 0
  for (const { index, segment } of GRAPHEMES.segment(window)) {
    if (index + segment.length > limit) break
    end = index + segment.length
  }
  if (end > 0) return end
  return (window.codePointAt(limit - 1) ?? 0) > 0xff_ff ? limit - 1 : limit
}
